import { html } from 'hono/html';
import { applyEdit } from '../../../../formats/profile/edit.ts';
import { maxPhotoMebibytes } from '../../../../model/profile/resume-document.ts';
import { toVisible } from '../../../../model/text.ts';
import { storePhoto } from '../../../../operations/owner/photos.ts';
import { getDraft, getProfileDocument, openUpload, saveDraft } from '../../../../operations/owner/profile.ts';
import { cutField } from '../../form.ts';
import type { Desk, DeskPage, DeskRequest, DeskRouter } from '../router.ts';
import { formPage, photoPath } from './form-page.ts';
import { maxNameLength, refusalOf } from './import.ts';
import { pathOf } from './outline.ts';
import { isShowable, type Place, readValues, toFormEntries } from './part-values.ts';
import { parts } from './parts.ts';

const place: Place = { part: parts.find(({ paths }) => paths.includes(photoPath))!, entry: null };
const field = { name: 'photo', limitBytes: maxPhotoMebibytes * 1024 ** 2 };

/** Adds uploading and removing the photo; each change is kept as a draft. */
export function addPhotoTo(desk: DeskRouter, { site, run }: Desk): void {
  const path = pathOf(place, null);

  desk.upload(`${path}/upload`, field, async ({ receive, ...request }) => {
    const upload = await run(openUpload, {});
    try {
      const uploaded = await receive(upload.write);
      if (uploaded === null)
        return await refused(request, 403, 'The page was open for too long. Choose the photo again.');
      const name = toVisible(cutField(uploaded.name, maxNameLength));
      const refusal = refusalOf(uploaded, name, maxPhotoMebibytes);
      if (refusal !== null) return await refused(request, uploaded.isTooLarge ? 413 : 422, refusal);
      const { photo, message } = await run(storePhoto, { upload, name });
      return photo === null ? await refused(request, 422, message ?? '') : await keep(request, photo);
    } finally {
      await upload.close();
    }
  });

  desk.action(`${path}/remove`, (request) => keep(request, null));

  /** Keeps the text with another photo, or without one, as a draft, and leads to it. */
  async function keep(request: DeskRequest, photo: string | null): Promise<string | DeskPage> {
    const { draft, text, baseRevision } = await open(request);
    let edited: string;
    try {
      const to = { path: photoPath.split('.') };
      edited = applyEdit(text, photo === null ? { ...to, kind: 'remove' } : { ...to, kind: 'set', value: photo });
    } catch (error) {
      return refused(request, 409, `The text ${(error as Error).message}. Name the photo ${photo} as YAML.`);
    }
    const written = { text: edited, base_revision: baseRevision, ...(draft === null ? {} : { draft }) };
    const { id, message } = await run(saveDraft, written);
    return id === null ? refused(request, 409, message) : `${pathOf(place, id)}&done=saved`;
  }

  /** The form again, with the reason why nothing was changed. */
  async function refused(request: DeskRequest, status: number, why: string): Promise<string | DeskPage> {
    const { query, formToken } = request;
    const { document, draft, text, baseRevision } = await open(request);
    const values = readValues(text);
    // The form itself says what is wrong with the text.
    if (values === null || !isShowable(place, values)) return pathOf(place, draft?.id ?? null);
    const notice = html`<p class="notice bad" role="alert">${toVisible(why)} Nothing is changed.</p>`;
    const source = { text, values, document, baseRevision, draft };
    return formPage({
      site,
      run,
      query,
      formToken,
      source,
      place,
      entries: toFormEntries(place, values),
      notice,
      status,
    });
  }

  /** Returns the text that the form is of: a draft, or the document. */
  async function open({ query }: DeskRequest) {
    const id = query.get('draft');
    const document = await run(getProfileDocument, {});
    const draft = id === null ? null : await run(getDraft, { id });
    const { text, baseRevision } = draft ?? { text: document.text ?? '', baseRevision: document.revision };
    return { document, draft, text, baseRevision };
  }
}
