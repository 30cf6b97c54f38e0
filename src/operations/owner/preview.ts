import type { Profile } from 'resume-profile/profile-document';
import { PicturedDesign } from 'resume-profile/resume-design';
import { z } from 'zod';
import { Failure } from '../../model/failure.ts';
import { within } from '../../model/within.ts';
import { getCandidate } from '../candidate.ts';
import { listExperience } from '../experience.ts';
import { answerTo } from '../invoke.ts';
import { getResume } from '../resume.ts';
import { ownerOperation } from './operation.ts';
import type { DeskServices } from './services.ts';
import { getWorkingCopy } from './working-copy.ts';

export const previewProfile = ownerOperation({
  name: 'preview_profile',
  summary:
    'The profile that a text describes, or a view of it, which is kept for a while under its revision to be looked at; or its faults.',
  input: z.object({ text: z.string(), view: z.string().optional() }),
  async handle({ text, view }, { profileDocument, previews, hash }: DeskServices) {
    const { profile: whole, written, views, faults } = profileDocument.check(text);
    const profile = view === undefined ? whole : views.resolve(view);
    const revision = view === undefined ? hash(text) : `${hash(text)}.${view}`;
    if (profile !== null) previews.keep(revision, profile);
    return { revision, profile, written, faults, views: [...views.names], printed: previews.printedOf(revision) };
  },
});

const Revision = z.object({ revision: z.string() });

export const findPreview = ownerOperation({
  name: 'find_preview',
  summary: 'A profile that was looked at lately, by the revision of its text, or whose text is stored.',
  input: Revision,
  async handle({ revision }, services: DeskServices) {
    const { previews, reads, rememberSeconds } = services;
    return {
      profile: previews.profileOf(revision) ?? (await storedProfile(revision, services)) ?? notFound(),
      /** How long reads are kept, in seconds; null if they are not recorded. */
      keepReads: reads.isOn ? reads.keepSeconds : null,
      rememberSeconds,
    };
  },
});

/** Another process may have previewed it: the working copy, what is published, or a version of the history. */
async function storedProfile(revision: string, services: DeskServices): Promise<Profile | null> {
  const [ofText = '', view] = revision.split('.');
  const { text: now, document } = await getWorkingCopy.handle({}, services);
  const texts = [now, document.text, await services.store.profileVersions.findText(ofText)];
  const text = texts.find((one) => one !== null && services.hash(one) === ofText);
  return text == null ? null : (await previewProfile.handle({ text, view }, services)).profile;
}

function notFound(): never {
  throw new Failure('NOT_FOUND');
}

export const getPhoto = ownerOperation({
  name: 'get_photo',
  summary: 'The photo of a profile that was looked at lately; null if it has none, or is not kept.',
  input: Revision,
  async handle({ revision }, { previews, photoOf }: DeskServices) {
    const profile = previews.profileOf(revision);
    return { photo: profile === null ? null : photoOf(profile) };
  },
});

export const printPreview = ownerOperation({
  name: 'print_preview',
  summary:
    'The resume of a profile that was looked at lately, as pictures, or why it cannot be printed; null if printing takes long, if it is not kept, or if it is not needed and another one is printed in its place.',
  input: Revision.extend({ is_needed: z.boolean() }),
  handle: async ({ revision, is_needed }, { previews, waitMilliseconds }: DeskServices) => ({
    printed: await within(waitMilliseconds, previews.print(revision, is_needed)),
  }),
});

export const getDesignPicture = ownerOperation({
  name: 'get_design_picture',
  summary:
    'The upper part of the first page of a profile that was looked at lately, in another design, as a PNG; null if it cannot be printed.',
  input: Revision.extend({ design: PicturedDesign }),
  async handle({ revision, design }, { previews, designPicture }: DeskServices) {
    const profile = previews.profileOf(revision);
    return { picture: profile === null ? null : await designPicture(profile, design) };
  },
});

export const previewAnswers = ownerOperation({
  name: 'preview_answers',
  summary: 'What agents would read of a profile that was looked at lately, as JSON; none if it is not kept.',
  input: Revision,
  async handle({ revision }, services: DeskServices) {
    const profile = services.previews.profileOf(revision);
    if (profile === null) return [];
    const edition = services.editionOf(profile);
    return [getCandidate, listExperience, getResume].flatMap((operation) =>
      operation.kind === 'read'
        ? [{ name: operation.name, json: answerTo(operation, {}, edition, services).pretty }]
        : [],
    );
  },
});
