import { z } from 'zod';
import { Failure } from '../../model/failure.ts';
import { maxProposals, proposalDays } from '../../model/profile/document-state.ts';
import { readValues, textWith } from '../../model/profile/document-text.ts';
import { merge } from '../../model/profile/merge.ts';
import { ownerOperation } from './operation.ts';
import { notFound, removeUnusedPhotos, SessionId } from './profile.ts';
import type { DeskServices, OwnerServices, Upload } from './services.ts';
import { changeText, getWorkingCopy } from './working-copy.ts';

const Id = z.object({ id: z.string() });

export const listProposals = ownerOperation({
  name: 'list_proposals',
  summary: 'The texts that are proposed as the profile, the latest first.',
  handle: async (_input, { store, now }: OwnerServices) => store.proposals.list(now()),
});

export const getProposal = ownerOperation({
  name: 'get_proposal',
  summary: 'A proposed text, and the text that the working copy has if it is taken over.',
  input: Id,
  async handle({ id }, services: OwnerServices) {
    const proposal = (await services.store.proposals.find(id, services.now())) ?? notFound();
    const copy = await getWorkingCopy.handle({}, services);
    const base = await services.store.profileVersions.findText(proposal.baseRevision);
    // A draft of the document changes only what it changed since it was begun; an imported file replaces all.
    const [before, mine] = [base ?? '', proposal.text].map(readValues);
    const isMerged = proposal.name === '' && base !== null && before != null && mine != null && copy.values !== null;
    const text = isMerged ? textWith(copy.text, merge(before, mine, copy.values).value).text : proposal.text;
    return { proposal, copy, text };
  },
});

export const takeProposal = ownerOperation({
  name: 'take_proposal',
  summary:
    'Takes a proposed text over into the working copy, as one change that can be undone, and removes the proposal.',
  input: Id.extend({ session: SessionId }),
  async handle({ id, session }, services: OwnerServices) {
    const { text } = await getProposal.handle({ id }, services);
    await changeText.handle({ text, id, session }, services);
    // It expires by itself, and its text is taken over.
    await services.store.proposals.remove(id).catch(() => {});
  },
});

export const removeProposal = ownerOperation({
  name: 'remove_proposal',
  summary: 'Removes a proposed text; says whether there was one.',
  input: Id,
  async handle({ id }, services: OwnerServices) {
    const removed = await services.store.proposals.remove(id);
    await removeUnusedPhotos(services);
    return { removed };
  },
});

/** An imported text: `id` is of the change of the working copy that it became, or of a proposal; null if it is neither. */
interface Imported {
  readonly id: string | null;
  readonly isTaken: boolean;
  readonly message: string | null;
}

/** Makes a text the working copy if there is no profile and nothing was typed, otherwise a proposal. */
async function propose(
  text: string,
  name: string,
  session: string | undefined,
  services: OwnerServices,
): Promise<Imported> {
  const { store, now, hash, newSecret } = services;
  try {
    const { document, stored, text: written } = await getWorkingCopy.handle({}, services);
    const same = stored?.changes.findLast((change) => change.text === text);
    // Such as a form that is sent twice.
    if (same !== undefined && written === text) return { id: same.id, isTaken: true, message: null };
    if ((document.place === 'none' || document.place === 'sample') && stored === null) {
      const id = newSecret();
      await changeText.handle({ text, id, session }, services);
      return { id, isTaken: true, message: null };
    }
    if (text.includes('\0')) throw new Failure('BAD_REQUEST', 'It has the character U+0000.');
    const proposal = { name, baseRevision: document.revision, revision: hash(text), savedAt: now(), text };
    const id = await store.proposals.add(proposal, session);
    if (id !== null) return { id, isTaken: false, message: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const message = { UNAUTHORIZED: 'Your session has ended. Sign in again.' }[error.code as string] ?? error.message;
    return { id: null, isTaken: false, message };
  }
  const message = `There are ${maxProposals} proposals already. Take one over or remove one, or wait: each goes after ${proposalDays} days.`;
  return { id: null, isTaken: false, message };
}

export const importResume = ownerOperation({
  name: 'import_resume',
  summary:
    'Makes a profile document of an uploaded resume: the working copy if it is the first one, otherwise a proposal.',
  input: z.object({
    upload: z.custom<Upload>(),
    name: z.string(),
    signal: z.instanceof(AbortSignal),
    session: SessionId,
  }),
  async handle({ upload, name, signal, session }, services: DeskServices) {
    const read = await upload.read(signal).catch(({ message }: Error) => ({ message }));
    if ('message' in read)
      return {
        id: null,
        isTaken: false,
        message: `${name} ${read.message.replace(/\.$/, '')}.`,
        account: null,
        text: '',
      };
    const { text, account } = read;
    return { ...(await propose(text, name, session, services)), account, text };
  },
});
