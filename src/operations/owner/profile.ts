import { z } from 'zod';
import { Failure } from '../../model/failure.ts';
import {
  type DocumentVersion,
  draftDays,
  maxDocumentMebibytes,
  maxDrafts,
  type PublishRefusal,
} from '../../model/profile/document-state.ts';
import { ownerOperation } from './operation.ts';
import type { DeskServices, OwnerServices, Upload } from './services.ts';

export const getProfileDocument = ownerOperation({
  name: 'get_profile_document',
  summary: 'The text of the profile document, why it cannot be read, and where it can be published to.',
  handle: (_input, { profileDocument }: OwnerServices) => profileDocument.read(),
});

/** The id of the session at the desk; absent in the terminal. */
const SessionId = z.string().optional();

/** A text with the document revision it is based on and, if it is a draft's, the draft's id and revision as read. */
const EditedText = z.object({
  text: z.string(),
  base_revision: z.string(),
  draft: z.object({ id: z.string(), revision: z.string() }).optional(),
  session: SessionId,
});

/**
 * Publishes a text. The setup code may create the profile, and nothing else: once there is one, only a session of the
 * owner, or a command, may replace it. The session that creates it becomes the owner's.
 */
async function publish(
  { text, base_revision, draft, session }: z.output<typeof EditedText>,
  kind: 'published' | 'restored',
  { profileDocument, store: { desk }, now }: OwnerServices,
): Promise<PublishRefusal | null> {
  let isCreated = false;
  const refusal = await profileDocument.publish(text, base_revision, kind, (isFirst) => {
    isCreated = isFirst;
    if (isFirst) return desk.beginFirstProfile({ session, draft: draft?.id }, now());
    return session === undefined ? Promise.resolve(true) : desk.hasSession(session, now());
  });
  // If this fails, the owner has to sign in again; the profile is published.
  if (refusal === null && isCreated && session !== undefined) await desk.keepSession(session).catch(() => {});
  return refusal;
}

export const publishProfile = ownerOperation({
  name: 'publish_profile',
  summary:
    'Replaces the profile document if it still has the revision, and keeps the version; removes the draft that the text is of.',
  input: EditedText,
  audits: ['profile_published'],
  async handle(edited, services: OwnerServices) {
    const { store, audit } = services;
    const { draft } = edited;
    const refusal = await publish(edited, 'published', services);
    if (refusal !== null) return { refusal };
    audit({ event: 'profile_published' });
    // It expires by itself, and the text is published.
    if (draft !== undefined) await store.profileDrafts.remove(draft.id, draft.revision).catch(() => {});
    await removeUnusedPhotos(services);
    return { refusal };
  },
});

export const saveDraft = ownerOperation({
  name: 'save_draft',
  summary: 'Keeps a text that is not published yet, with or without faults, in place of the draft that it is of.',
  input: EditedText.extend({ name: z.string().default('') }),
  async handle({ text, base_revision, name, draft, session }, { store, now, hash }: OwnerServices) {
    const { length } = new TextEncoder().encode(text);
    if (length > maxDocumentMebibytes * 1024 ** 2) return unsaved(`It is larger than ${maxDocumentMebibytes} MiB.`);
    // PostgreSQL stores no text with NUL.
    if (text.includes('\0')) return unsaved('It has the character U+0000, which a draft cannot have.');
    const saved = { name, baseRevision: base_revision, revision: hash(text), savedAt: now(), text };
    try {
      const id = await store.profileDrafts.save(saved, draft, session);
      if (id !== null) return { id, message: null, isFull: false };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.code === 'UNAUTHORIZED') return unsaved('Your session has ended. Sign in again.');
      return unsaved('The database cannot be used at the moment.');
    }
    const full = `There are ${maxDrafts} drafts already. Publish or remove one, or wait: each goes ${draftDays} days after it was last saved.`;
    return { ...unsaved(full), isFull: true };
  },
});

const unsaved = (message: string) => ({ id: null, message, isFull: false });

export const openUpload = ownerOperation({
  name: 'open_upload',
  summary: 'A file for a resume that is uploaded, which is removed when it is closed.',
  handle: async (_input, services: DeskServices) => services.openUpload(),
});

export const importResume = ownerOperation({
  name: 'import_resume',
  summary: 'Makes a profile document of an uploaded resume, and keeps it as a draft; says why if it cannot.',
  input: z.object({
    upload: z.custom<Upload>(),
    name: z.string(),
    signal: z.instanceof(AbortSignal),
    session: SessionId,
  }),
  async handle({ upload, name, signal, session }, services: DeskServices) {
    const read = await upload.read(signal).catch(({ message }: Error) => ({ message }));
    if ('message' in read) return { ...unsaved(`${name} ${read.message.replace(/\.$/, '')}.`), account: null };
    const { revision: base_revision } = await services.profileDocument.read();
    const saved = await saveDraft.handle({ text: read.text, base_revision, name, session }, services);
    return { ...saved, account: read.account };
  },
});

export const listDrafts = ownerOperation({
  name: 'list_drafts',
  summary: 'The texts that are not published yet, the latest first.',
  handle: async (_input, { store, now }: OwnerServices) => store.profileDrafts.list(now()),
});

export const getDraft = ownerOperation({
  name: 'get_draft',
  summary: 'A text that is not published yet.',
  input: z.object({ id: z.string() }),
  async handle({ id }, { store, now }: OwnerServices) {
    return (await store.profileDrafts.find(id, now())) ?? notFound();
  },
});

export const removeDraft = ownerOperation({
  name: 'remove_draft',
  summary: 'Removes a text that is not published yet; says whether there was one.',
  input: z.object({ id: z.string() }),
  async handle({ id }, services: OwnerServices) {
    const removed = await services.store.profileDrafts.remove(id);
    await removeUnusedPhotos(services);
    return { removed };
  },
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

export const getTextOfRevision = ownerOperation({
  name: 'get_text_of_revision',
  summary: 'The text that a version of the profile document with a revision has; null if none is kept.',
  input: z.object({ revision: z.string() }),
  handle: async ({ revision }, { store }: OwnerServices) => ({
    text: await store.profileVersions.findText(revision),
  }),
});

export const restoreVersion = ownerOperation({
  name: 'restore_version',
  summary: 'Publishes a version of the profile document again, if the document still has the revision.',
  input: z.object({ id: z.int(), base_revision: z.string(), session: SessionId }),
  audits: ['profile_restored'],
  async handle({ id, ...edited }, services: OwnerServices) {
    const { text } = await findVersion(id, services);
    const refusal = await publish({ text, ...edited }, 'restored', services);
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
    const erased = await store.profileVersions.erase();
    await removeUnusedPhotos(services);
    audit({ event: 'history_erased', detail: String(erased) }); // before the scrub, which may take long
    return { erased, left: await scrub() };
  },
});

export const storePhoto = ownerOperation({
  name: 'store_photo',
  summary: 'Writes an uploaded photo beside the profile document, under a name of its own; says why if it cannot.',
  input: z.object({ upload: z.custom<Upload>(), name: z.string() }),
  async handle({ upload, name }, services: DeskServices) {
    const { obstacle } = await services.profileDocument.read();
    if (obstacle !== null) return { photo: null, message: `${name} cannot be stored, because ${obstacle}.` };
    try {
      return { photo: await services.photos.add(await upload.readAll()), message: null };
    } catch (error) {
      return { photo: null, message: `${name} ${(error as Error).message}.` };
    }
  },
});

/**
 * Removes the uploaded photos that neither the document nor a version or a draft names. A photo that cannot be removed
 * now is removed the next time.
 */
async function removeUnusedPhotos({ photos, profileDocument, store, now }: OwnerServices): Promise<void> {
  try {
    let unused: readonly string[] = await photos.list();
    const keepThoseIn = (text = '') => {
      unused = unused.filter((name) => !text.includes(name));
    };
    if (unused.length === 0) return;
    const { text } = await profileDocument.read();
    if (text === null) return;
    keepThoseIn(text);
    const at = now();
    for (const { id } of await store.profileDrafts.list(at))
      keepThoseIn((await store.profileDrafts.find(id, at))?.text);
    for (const { id } of await store.profileVersions.list()) {
      if (unused.length === 0) return;
      keepThoseIn((await store.profileVersions.find(id))?.text);
    }
    await photos.remove(unused);
  } catch {}
}

async function findVersion(id: number, { store }: OwnerServices): Promise<DocumentVersion> {
  return (await store.profileVersions.find(id)) ?? notFound();
}

function notFound(): never {
  throw new Failure('NOT_FOUND');
}
