import { z } from 'zod';
import { ownerOperation } from './operation.ts';
import type { DeskServices, OwnerServices, Upload } from './services.ts';

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
