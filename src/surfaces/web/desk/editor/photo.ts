import { maxPhotoMebibytes } from 'resume-profile/resume-document';
import { Failure } from '../../../../model/failure.ts';
import { readPhoto, storePhoto } from '../../../../operations/owner/profile.ts';
import type { Desk, DeskRouter } from '../router.ts';

/** Adds the photos of the editor: it posts one, and sets its name in the document. */
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

  // By its name, because the editor shows a photo before the service knows that the document has it.
  desk.early.page(path, async ({ query }) => {
    const { photo } = await run(readPhoto, { photo: query.get('name') ?? '' });
    if (photo === null) throw new Failure('NOT_FOUND');
    const type = photo.format === 'jpg' ? 'image/jpeg' : 'image/png';
    return new Response(new Uint8Array(photo.bytes), {
      headers: { 'content-type': type, 'cache-control': 'no-store' },
    });
  });
}
