import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import { defaultAccent } from 'resume-profile/accent';
import { PicturedDesign } from 'resume-profile/resume-design';
import { wordsOf } from 'resume-profile/resume-language';
import { pluralize, toVisible } from 'resume-profile/text';
import { textsOf } from 'resume-profile/texts';
import { Failure, nullIfNotFound } from '../../../../model/failure.ts';
import { type Preview, type PrintedPreview, previewWidth } from '../../../../model/profile/printed-preview.ts';
import { byAddress } from '../../../../model/visitor.ts';
import type { OutputOf } from '../../../../operations/owner/operation.ts';
import {
  findPreview,
  getDesignPicture,
  getPhoto,
  previewAnswers,
  previewProfile,
  printPreview,
} from '../../../../operations/owner/preview.ts';
import { getProfileDocument, getVersion } from '../../../../operations/owner/profile.ts';
import { getWorkingCopy } from '../../../../operations/owner/working-copy.ts';
import { accentRule } from '../../assets.ts';
import { redirectTo } from '../../page.ts';
import { publicProfileOf } from '../../public/public-profile.ts';
import { landingResponse } from '../../visitor/landing.ts';
import { draftOf } from '../../visitor/message-form.ts';
import { profileResponse } from '../../visitor/profile-page.ts';
import type { Desk, DeskRequest, DeskRouter } from '../router.ts';
import { fieldAt } from './fields.ts';
import { labelOf, optionOf } from './labels.ts';

type Params = Readonly<Record<string, string>>;
type Found = OutputOf<typeof findPreview>;

/** The path of the page that visitors with access get now; its links and forms do not work. */
export const ownPagePath = '/desk/profile/page';

/** The e-mail address of the visitor in a preview. */
const visitor = 'visitor@example.org';

/** Adds the content of the previews: pictures, and the pages of visitors in a frame. */
export function addPreviewTo(desk: DeskRouter, { site, run }: Desk): void {
  const path = '/desk/profile/preview/:revision';

  /** The last text of the working copy that could be shown. */
  let readable: string | null = null;

  desk.early.page('/desk/profile/preview', async ({ query }) => {
    const shown = await previewOf(query.get('tab') ?? '', query.get('view') ?? undefined);
    return Response.json(shown satisfies Preview, { headers: { 'cache-control': 'no-store' } });
  });

  async function previewOf(tab: string, view: string | undefined): Promise<Preview> {
    const { text, baseText } = await run(getWorkingCopy, {});
    const now = await run(previewProfile, { text, view });
    const isEarlier = now.faults.length > 0;
    if (!isEarlier) readable = text;
    const { revision, profile } = isEarlier ? await run(previewProfile, { text: readable ?? baseText, view }) : now;
    if (profile === null) return { revision, isEarlier, ...unseen, refusal: view === undefined ? nothing : noVersion };
    const shown = { revision, isEarlier };
    const address = (name: string) => previewAddress(site, name, { revision });
    if (tab === 'page' || tab === 'stranger') {
      const request = { params: { revision }, query: new URLSearchParams(), formToken: html`` };
      const page = (await (await pages[tab](request)).text()).replaceAll(revision, '');
      const digest = digestOf(page + profile.accent + profile.resume.photo);
      return { ...shown, digest, frame: address(tab), caption: 'Its links and forms do not work here.' };
    }
    if (tab === 'assistant') {
      const answers = await run(previewAnswers, { revision });
      const caption = 'What the first three tools answer. Assistants can also ask for each job, project and section.';
      return { ...shown, digest: digestOf(JSON.stringify(answers)), answers, caption };
    }
    const { printed } = await run(printPreview, { revision, is_needed: false });
    if (printed === null) return { ...shown, ...unseen, isLater: true };
    if ('fault' in printed) return { ...shown, ...unseen, refusal: `It cannot be printed: ${printed.fault}.` };
    const { pages: count, pictures, paper, texts, warnings } = printed;
    const { pdf_url, theme } = profile.resume;
    const digest = digestOf(Buffer.concat(pictures));
    const caption = [
      `${count === 1 ? 'One page' : pluralize(count, 'page')}, ${[paper, theme ?? []].flat().map(optionOf).join(', ')}.`,
      ...(count > pictures.length ? [`The first ${pictures.length} are shown.`] : []),
      ...(pdf_url === undefined ? [] : [`Visitors get another PDF, the one at ${pdf_url}.`]),
    ].join(' ');
    const addresses = pictures.map((_, index) => address(String(index + 1)));
    return { ...shown, digest, caption, pictures: addresses, texts, warnings: warnings.map(withLabel) };
  }

  /** Returns a previewed profile. A text that another process previewed is found only if it is one that is stored. */
  async function find(
    { revision = '' }: Params,
    query: URLSearchParams,
  ): Promise<Found & { readonly profile: NonNullable<Found['profile']> }> {
    const { profile, ...shown } = await run(findPreview, { revision });
    if (profile !== null) return { profile, ...shown };
    const [, view] = revision.split('.');
    for (const text of await storedTexts(query)) {
      const stored = await run(previewProfile, { text: text ?? '', view });
      if (stored.profile !== null && stored.revision === revision) return { profile: stored.profile, ...shown };
    }
    throw new Failure('NOT_FOUND');
  }

  async function storedTexts(query: URLSearchParams): Promise<(string | null)[]> {
    const { versionId } = savedAt(query);
    if (versionId !== null) return [(await run(getVersion, { id: versionId })).version.text];
    return [(await run(getWorkingCopy, {})).text, (await run(getProfileDocument, {})).text];
  }

  async function print({ revision = '' }: Params): Promise<PrintedPreview | null> {
    const { printed } = await run(printPreview, { revision, is_needed: true });
    return printed === null || 'fault' in printed ? null : printed;
  }

  const addressOf = (name: string, { revision }: Params, query: URLSearchParams) =>
    previewAddress(site, name, { revision: revision ?? '', ...savedAt(query) });

  type Framed = Pick<DeskRequest, 'params' | 'query' | 'formToken'>;

  async function visitorsPage({ params, query, formToken }: Framed): Promise<Response> {
    const { profile } = await find(params, query);
    const { downloads } = profile.resume;
    const { photo } = await run(getPhoto, { revision: params.revision ?? '' });
    const expiresAt = new Date(8.64e15);
    return profileResponse(
      {
        profile,
        files: {
          docx: downloads?.includes('docx') ? '#docx' : null,
          contact: '#contact',
          photo: photo === null ? null : addressOf('photo', params, query),
        },
        visit: {
          formToken,
          session: {
            isRemembered: false,
            mayWrite: true,
            expiresAt,
            token: { subject: byAddress(visitor), expiresAt },
          },
        },
        token: null,
        idempotencyKey: '',
        draft: draftOf(new URLSearchParams({ email: visitor })),
        faults: new Map(),
        status: 200,
        isRecorded: false,
        framed: { accent: addressOf('accent.css', params, query) },
      },
      site,
    );
  }

  async function strangersPage({ params, query, formToken }: Framed): Promise<Response> {
    const { profile, keepReads, rememberSeconds } = await find(params, query);
    const counts = profile.public.includes('counts') && profile.resume.pdf_url === undefined;
    return landingResponse(
      {
        profile: publicProfileOf(profile),
        language: profile.resume.language,
        pdfPages: counts ? ((await print(params))?.pages ?? null) : null,
        formToken,
        keepReads,
        rememberSeconds,
        isRemembered: false,
        draft: draftOf(new URLSearchParams()),
        idempotencyKey: '',
        framed: { accent: addressOf('accent.css', params, query) },
      },
      site,
    );
  }

  const pages = { page: visitorsPage, stranger: strangersPage };
  for (const [name, show] of Object.entries(pages))
    desk.early.page(`${path}/${name}`, (request) => show(request).catch(framedFault));

  desk.page(ownPagePath, async () => {
    const { text } = await run(getProfileDocument, {});
    const { profile, revision } = await run(previewProfile, { text: text ?? '' });
    if (profile === null) return redirectTo(site.path('/desk/profile'));
    return redirectTo(previewAddress(site, 'page', { revision }));
  });

  desk.early.page(`${path}/accent.css`, async ({ params, query }) => {
    const { profile } = await find(params, query);
    return fileResponse(accentRule(profile.accent ?? defaultAccent), 'text/css; charset=utf-8');
  });

  desk.early.page(`${path}/photo`, async ({ params, query }) => {
    await find(params, query);
    const photo = (await run(getPhoto, { revision: params.revision ?? '' })).photo ?? notFound();
    return fileResponse(new Uint8Array(photo.bytes), photo.format === 'jpg' ? 'image/jpeg' : 'image/png');
  });

  desk.early.page(`${path}/design/:field/:value`, async ({ params, query }) => {
    const { field = '', value, revision = '' } = params;
    const { data: design } = PicturedDesign.safeParse({ [field]: value });
    if (design === undefined) throw new Failure('NOT_FOUND');
    await find(params, query);
    const { picture } = await run(getDesignPicture, { revision, design });
    return fileResponse(picture ?? notFound(), 'image/png');
  });

  desk.early.page(`${path}/:number`, async ({ params, query }) => {
    const { revision = '', number } = params;
    const kept = await find(params, query).catch(nullIfNotFound);
    const { printed } = await run(printPreview, { revision, is_needed: true });
    if (printed === null)
      return kept === null
        ? wordsPicture(`This text ${gone}.`)
        : wordsPicture('This text is still being printed. Load this page again in a moment.', 503);
    if ('fault' in printed) return wordsPicture(`This text cannot be printed: ${printed.fault}.`);
    return fileResponse(printed.pictures[Number(number) - 1] ?? notFound(), 'image/png');
  });
}

const digestOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('base64url');

/** Puts the label of its field in front of a warning. */
function withLabel({ path, message }: PrintedPreview['warnings'][number]): PrintedPreview['warnings'][number] {
  const field = fieldAt(path.join('.'));
  return { path, message: `${field === undefined ? '' : `“${labelOf(field.path).label}”: `}${message}` };
}

function notFound(): never {
  throw new Failure('NOT_FOUND');
}

const gone = 'is not kept any more. Open the page again';

const unseen = { caption: '', digest: '' };

const noVersion = 'There is no version of this name.';

const nothing = 'There is nothing to show yet: it is drawn as soon as there is a name.';

/** As text, because fault pages cannot be framed. */
function framedFault(error: unknown): Response {
  nullIfNotFound(error);
  const policy = "default-src 'none'; frame-ancestors 'self'";
  const type = 'text/plain; charset=utf-8';
  const headers = { 'content-type': type, 'content-security-policy': policy, 'cache-control': 'no-store' };
  return new Response(`This text ${gone}.`, { status: 404, headers });
}

/** An image of a message: a page without a script cannot say otherwise why the page of the resume is missing. */
async function wordsPicture(text: string, status = 404): Promise<Response> {
  const lines = toVisible(text).match(/.{1,60}(?= |$)|\S{60}/g) ?? [];
  const picture =
    await html`<svg xmlns="http://www.w3.org/2000/svg" width="${previewWidth}" height="${Math.round(previewWidth * Math.SQRT2)}"><rect width="100%" height="100%" fill="#fff"/><text y="60" font-family="sans-serif" font-size="20" fill="#333">${lines.map((line) => html`<tspan x="40" dy="1.5em">${line.trim()}</tspan>`)}</text></svg>`;
  const headers = { 'content-type': 'image/svg+xml', 'cache-control': 'no-store' };
  return new Response(String(picture), { status, headers });
}

const fileResponse = (body: Uint8Array<ArrayBuffer> | string, type: string): Response =>
  new Response(body, { headers: { 'content-type': type, 'cache-control': 'no-store' } });

/** The version of the history that a text is of; null for any other text. */
export interface SavedAt {
  readonly versionId?: number | null;
}

/** The address of a file of a preview. */
export function previewAddress(
  site: Desk['site'],
  name: string,
  { revision, versionId = null }: SavedAt & { readonly revision: string },
): string {
  return site.path(`/desk/profile/preview/${revision}/${name}${versionId === null ? '' : `?version=${versionId}`}`);
}

function savedAt(query: URLSearchParams): Required<SavedAt> {
  const version = query.get('version');
  return { versionId: version === null ? null : versionOf(version) };
}

/** Returns the number of a version in an address. Throws `NOT_FOUND`. */
export function versionOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Failure('NOT_FOUND');
  return Number(text);
}

/** Whether the included fonts have all characters: Latin, Greek and Cyrillic with their punctuation. */
const isUsual = (text: string): boolean => /^[\t\n\r\x20-\x7e\xa0-\u052f\u1e00-\u1fff\u2010-\u2027\u20ac]*$/.test(text);

/** Returns the characters that the PDF of a text would leave out. It is printed only if it has unusual characters. */
export async function leftOutOf(run: Desk['run'], text: string): Promise<PrintedPreview['leftOut']> {
  const { revision, profile } = await run(previewProfile, { text });
  if (profile === null || profile.resume.pdf_url !== undefined) return [];
  const words = wordsOf(profile.resume.language);
  if (textsOf([profile, words]).every((one) => isUsual(one.text))) return [];
  const { printed } = await run(printPreview, { revision, is_needed: true });
  return printed === null || 'fault' in printed ? [] : printed.leftOut;
}

/** The characters that may be left out, as a request that publishes anyway confirms them. */
export const toLeftOutKey = (leftOut: PrintedPreview['leftOut']): string =>
  leftOut.flatMap(({ characters }) => characters).join('');
