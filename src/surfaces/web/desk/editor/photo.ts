import { maxPhotoMebibytes } from 'resume-profile/resume-document';
import { Failure } from '../../../../model/failure.ts';
import { valueAt } from '../../../../model/profile/patch.ts';
import { readPhoto, storePhoto } from '../../../../operations/owner/profile.ts';
import { getWorkingCopy } from '../../../../operations/owner/working-copy.ts';
import type { Desk, DeskRouter } from '../router.ts';

/** Adds the photo of the working copy: the editor posts one, and sets its name in the document. */
export function addPhotoTo(desk: DeskRouter, { run }: Desk): void {
  const path = '/desk/profile/photo';
  const upload = { type: 'image/jpeg', limitBytes: maxPhotoMebibytes * 1024 ** 2 };

  desk.early.json(
    'post',
    path,
    async ({ bytes }) => {
      const { photo, message } = await run(storePhoto, { bytes });
      return photo === null ? { status: 422, body: { message } } : { status: 200, body: { photo } };
    },
    upload,
  );

  desk.early.page(path, async () => {
    const { values } = await run(getWorkingCopy, {});
    const name = valueAt(values, ['resume', 'photo']);
    const { photo } = await run(readPhoto, { photo: typeof name === 'string' ? name : '' });
    if (photo === null) throw new Failure('NOT_FOUND');
    const type = photo.format === 'jpg' ? 'image/jpeg' : 'image/png';
    return new Response(new Uint8Array(photo.bytes), {
      headers: { 'content-type': type, 'cache-control': 'no-store' },
    });
  });
}
