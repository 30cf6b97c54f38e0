import type { Profile } from 'resume-profile/profile-document';
import { z } from 'zod';
import { Failure } from '../../model/failure.ts';
import type { DocumentVersion, PublishRefusal } from '../../model/profile/document-state.ts';
import { openCopy } from './open-copy.ts';
import { ownerOperation } from './operation.ts';
import type { DeskServices, OwnerServices } from './services.ts';

export const getProfileDocument = ownerOperation({
  name: 'get_profile_document',
  summary: 'The text of the profile document, why it cannot be read, and where it can be published to.',
  handle: (_input, { profileDocument }: OwnerServices) => profileDocument.read(),
});

/** The id of the session at the desk; absent in the terminal. */
export const SessionId = z.string().optional();

/** A text with the document revision it is based on. */
interface EditedText {
  readonly text: string;
  readonly base_revision: string;
  readonly session?: string | undefined;
  /** The revision of the working copy that has the text. */
  readonly copy_revision?: string | undefined;
}

/**
 * Publishes a text. The setup code may create the profile, and nothing else: once there is one, only a session of the
 * owner, or a command, may replace it. The session that creates it becomes the owner's.
 */
export async function publishText(
  { text, base_revision, session, copy_revision }: EditedText,
  kind: 'published' | 'restored',
  { profileDocument, store: { desk }, now }: OwnerServices,
): Promise<PublishRefusal | null> {
  let isCreated = false;
  const refusal = await profileDocument.publish(text, base_revision, kind, async (isFirst) => {
    isCreated = isFirst;
    if (isFirst) return desk.beginFirstProfile(session, now(), copy_revision);
    return session === undefined || (await desk.hasSession(session, now())) ? null : 'signed-out';
  });
  // If this fails, the owner has to sign in again; the profile is published.
  if (refusal === null && isCreated && session !== undefined) await desk.keepSession(session).catch(() => {});
  return refusal;
}

export const openUpload = ownerOperation({
  name: 'open_upload',
  summary: 'A file for a resume that is uploaded, which is removed when it is closed.',
  handle: async (_input, services: DeskServices) => services.openUpload(),
});

export const listVersions = ownerOperation({
  name: 'list_versions',
  summary: 'The versions of the profile document that are kept, the newest first.',
  handle: async (_input, { store }: OwnerServices) => store.profileVersions.list(),
});

export const getVersion = ownerOperation({
  name: 'get_version',
  summary: 'A version of the profile document, and the one before it.',
  input: z.object({ id: z.int() }),
  async handle({ id }, services: OwnerServices) {
    const version = await findVersion(id, services);
    return { version, before: await services.store.profileVersions.findBefore(id) };
  },
});

export const restoreVersion = ownerOperation({
  name: 'restore_version',
  summary: 'Publishes a version of the profile document again, if the document still has the revision.',
  input: z.object({ id: z.int(), base_revision: z.string(), session: SessionId }),
  audits: ['profile_restored'],
  async handle({ id, ...edited }, services: OwnerServices) {
    const { text } = await findVersion(id, services);
    const refusal = await publishText({ text, ...edited }, 'restored', services);
    if (refusal === null) services.audit({ event: 'profile_restored', detail: String(id) });
    return { refusal };
  },
});

export const eraseHistory = ownerOperation({
  name: 'erase_history',
  summary: 'Erases every version of the profile document that is kept, but not the document; says how many.',
  audits: ['history_erased'],
  async handle(_input, services: OwnerServices) {
    const { store, audit, scrub } = services;
    await openCopy(services); // so that it is based on the text of now, and not on an earlier one
    const erased = await store.profileVersions.erase();
    await removeUnusedPhotos(services);
    audit({ event: 'history_erased', detail: String(erased) }); // before the scrub, which may take long
    return { erased, left: await scrub() };
  },
});

export const storePhoto = ownerOperation({
  name: 'store_photo',
  summary: 'Writes an uploaded photo beside the profile document, under a name of its own; says why if it cannot.',
  input: z.object({ bytes: z.custom<Uint8Array>() }),
  async handle({ bytes }, services: DeskServices) {
    const { obstacle } = await services.profileDocument.read();
    if (obstacle !== null) return { photo: null, message: `The photo cannot be stored, because ${obstacle}.` };
    try {
      return { photo: await services.photos.add(Buffer.from(bytes)), message: null };
    } catch (error) {
      return { photo: null, message: `The photo ${(error as Error).message}.` };
    }
  },
});

export const readPhoto = ownerOperation({
  name: 'read_photo',
  summary: 'The photo in a file beside the profile document; null if there is none, or it cannot be read.',
  input: z.object({ photo: z.string() }),
  handle: async ({ photo }, { photoOf }: DeskServices) => ({
    photo: photo === '' ? null : photoOf({ resume: { photo } } as Profile),
  }),
});

/**
 * Removes the uploaded photos that neither the document nor the working copy, a version or a proposal names. A photo that
 * cannot be removed now is removed the next time.
 */
export async function removeUnusedPhotos({ photos, profileDocument, store, now }: OwnerServices): Promise<void> {
  try {
    let unused: readonly string[] = await photos.list();
    const keepThoseIn = (text = '') => {
      unused = unused.filter((name) => !text.includes(name));
    };
    if (unused.length === 0) return;
    const { text } = await profileDocument.read();
    if (text === null) return;
    keepThoseIn(text);
    keepThoseIn(JSON.stringify(await store.workingCopy.load()));
    const at = now();
    for (const { id } of await store.proposals.list(at)) keepThoseIn((await store.proposals.find(id, at))?.text);
    for (const { id } of await store.profileVersions.list()) {
      if (unused.length === 0) return;
      keepThoseIn((await store.profileVersions.find(id))?.text);
    }
    await photos.remove(unused);
  } catch {}
}

export async function findVersion(id: number, { store }: OwnerServices): Promise<DocumentVersion> {
  return (await store.profileVersions.find(id)) ?? notFound();
}

export function notFound(): never {
  throw new Failure('NOT_FOUND');
}
