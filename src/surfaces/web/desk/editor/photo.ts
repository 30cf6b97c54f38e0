import { html } from 'hono/html';
import { maxPhotoMebibytes } from 'resume-profile/resume-document';
import { toVisible } from 'resume-profile/text';
import { openUpload, storePhoto } from '../../../../operations/owner/profile.ts';
import { cutField } from '../../form.ts';
import type { Html } from '../../page.ts';
import type { UploadField } from '../../upload.ts';
import type { Desk, DeskForm, DeskPage, DeskRouter } from '../router.ts';
import type { FormEntries } from './form-entries.ts';
import { maxNameLength, refusalOf } from './import.ts';

/** The path of the photo, whose form also takes a file. */
export const photoPath = 'resume.photo';

const pathOfForm = '/desk/profile/edit/photo';

const field: UploadField = { name: 'photo', limitBytes: maxPhotoMebibytes * 1024 ** 2, others: 5 };

/** Why the file of a form was refused, in a sentence. */
export interface PhotoFault {
  readonly status: number;
  readonly reason: string;
}

/** Saves a form, or shows it again with the fault of its photo. */
type Save = (form: DeskForm, fault?: PhotoFault) => Promise<string | DeskPage>;

/** Adds the form of the photo: a chosen file is stored, and its name saved as if it had been typed. */
export function addPhotoTo(desk: DeskRouter, run: Desk['run'], save: Save): void {
  desk.ofDraft.upload(`${pathOfForm}/upload`, field, async ({ receive, ...request }) => {
    const upload = await run(openUpload, {});
    try {
      const uploaded = await receive(upload.write);
      if (uploaded === null) return pathOfForm;
      const { fields } = uploaded;
      const form = { ...request, params: { part: 'photo' }, fields };
      if (fields.get('do') === 'remove') {
        fields.set('do', 'check');
        fields.set(photoPath, '');
      } else if (uploaded.name !== '') {
        const name = toVisible(cutField(uploaded.name, maxNameLength));
        const reason = refusalOf(uploaded, name, maxPhotoMebibytes);
        if (reason !== null && uploaded.isTooLarge)
          return await save(form, { status: 413, reason: `${reason} ${advice}` });
        if (reason !== null) return await save(form, { status: 422, reason });
        const { photo, message } = await run(storePhoto, { upload, name });
        if (photo === null) return await save(form, { status: 422, reason: message });
        fields.set(photoPath, photo);
      }
      return await save(form);
    } finally {
      await upload.close();
    }
  });
}

const advice = 'Save it as a smaller JPEG, such as one of 1,600 × 1,200 pixels, and choose that.';

/** The controls to choose a file, with the current photo; the field below them has its name. */
export function photoControls(entries: FormEntries, address: string | null): Html {
  const hasPhoto = (entries.get(photoPath)?.[0] ?? '') !== '';
  return html`<div class="field"><label for="photo">Choose a ${hasPhoto ? 'new ' : ''}photo, or drop it here</label>
<input type="file" id="photo" name="photo" accept="image/jpeg,image/png" aria-describedby="photo-hint" data-limit="${field.limitBytes}">
${address === null ? '' : html`<img class="chosen-photo" src="${address}" alt="" height="128">`}
<p class="small soft" id="photo-hint">JPEG or PNG, ${maxPhotoMebibytes} MiB at most<span data-scaled hidden>; a larger one is made smaller here</span>. Where and when it was taken is removed from it.</p>
${hasPhoto ? html`<p><button class="plain" name="do" value="remove">Remove the photo</button></p>` : ''}</div>`;
}
