import { createHash } from 'node:crypto';
import { html } from 'hono/html';
import { defaultAccent } from 'resume-profile/accent';
import { PicturedDesign } from 'resume-profile/resume-design';
import { wordsOf } from 'resume-profile/resume-language';
import { pluralize } from 'resume-profile/text';
import { textsOf } from 'resume-profile/texts';
import { Failure, nullIfNotFound } from '../../../../model/failure.ts';
import type { Preview, PrintedPreview } from '../../../../model/profile/printed-preview.ts';
import { byAddress } from '../../../../model/visitor.ts';
import {
  findPreview,
  getDesignPicture,
  getPhoto,
  previewAnswers,
  previewProfile,
  printPreview,
} from '../../../../operations/owner/preview.ts';
import { getProfileDocument } from '../../../../operations/owner/profile.ts';
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

/** The path of the page that visitors with access get now; its links and forms do not work. */
export const ownPagePath = '/desk/profile/page';

/** The e-mail address of the visitor in a preview. */
const visitor = 'visitor@example.org';

/** Adds the content of the previews: pictures, and the pages of visitors in a frame. */
export function addPreviewTo(desk: DeskRouter, { site, run }: Desk): void {
  const path = '/desk/profile/preview/:revision';
  const addressOf = (revision: string, name: string) => previewAddress(site, revision, name);

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
    if (tab === 'page' || tab === 'stranger') {
      const request = { params: { revision }, formToken: html`` };
      const page = (await (await pages[tab](request)).text()).replaceAll(revision, '');
      const digest = digestOf(page + profile.accent + profile.resume.photo);
      return { ...shown, digest, frame: addressOf(revision, tab), caption: 'Its links and forms do not work here.' };
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
    const addresses = pictures.map((_, index) => addressOf(revision, `${index + 1}`));
    return { ...shown, digest, caption, pictures: addresses, texts, warnings: warnings.map(withLabel) };
  }

  async function countPages(revision: string): Promise<number | null> {
    const { printed } = await run(printPreview, { revision, is_needed: true });
    return printed === null || 'fault' in printed ? null : printed.pages;
  }

  type Framed = Pick<DeskRequest, 'params' | 'formToken'>;

  async function visitorsPage({ params: { revision = '' }, formToken }: Framed): Promise<Response> {
    const { profile } = await run(findPreview, { revision });
    const { downloads } = profile.resume;
    const { photo } = await run(getPhoto, { revision });
    const expiresAt = new Date(8.64e15);
    return profileResponse(
      {
        profile,
        files: {
          docx: downloads?.includes('docx') ? '#docx' : null,
          contact: '#contact',
          photo: photo === null ? null : addressOf(revision, 'photo'),
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
        framed: { accent: addressOf(revision, 'accent.css') },
      },
      site,
    );
  }

  async function strangersPage({ params: { revision = '' }, formToken }: Framed): Promise<Response> {
    const { profile, keepReads, rememberSeconds } = await run(findPreview, { revision });
    const counts = profile.public.includes('counts') && profile.resume.pdf_url === undefined;
    return landingResponse(
      {
        profile: publicProfileOf(profile),
        language: profile.resume.language,
        pdfPages: counts ? await countPages(revision) : null,
        formToken,
        keepReads,
        rememberSeconds,
        isRemembered: false,
        draft: draftOf(new URLSearchParams()),
        idempotencyKey: '',
        framed: { accent: addressOf(revision, 'accent.css') },
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
    return redirectTo(addressOf(revision, 'page'));
  });

  type File = readonly [type: string, body: Uint8Array<ArrayBuffer> | string | null | undefined];

  /** Adds a file of a preview. */
  const file = (name: string, read: (params: Params) => Promise<File>) =>
    desk.early.page(`${path}/${name}`, async ({ params }) => {
      await run(findPreview, { revision: params.revision ?? '' });
      const [type, body] = await read(params);
      return new Response(body ?? notFound(), { headers: { 'content-type': type, 'cache-control': 'no-store' } });
    });

  file('accent.css', async ({ revision = '' }) => [
    'text/css; charset=utf-8',
    accentRule((await run(findPreview, { revision })).profile.accent ?? defaultAccent),
  ]);
  file('photo', async ({ revision = '' }) => {
    const { photo } = await run(getPhoto, { revision });
    return [photo?.format === 'jpg' ? 'image/jpeg' : 'image/png', photo && new Uint8Array(photo.bytes)];
  });
  file('design/:field/:value', async ({ revision = '', field = '', value }) => {
    const { data: design } = PicturedDesign.safeParse({ [field]: value });
    return ['image/png', design && (await run(getDesignPicture, { revision, design })).picture];
  });
  file(':number', async ({ revision = '', number }) => {
    const { printed } = await run(printPreview, { revision, is_needed: true });
    return ['image/png', printed && 'pictures' in printed ? printed.pictures[Number(number) - 1] : null];
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

/** The address of a file of a preview. */
export const previewAddress = (site: Desk['site'], revision: string, name: string): string =>
  site.path(`/desk/profile/preview/${revision}/${name}`);

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
