import { html } from 'hono/html';
import { pluralize, toVisible } from 'resume-profile/text';
import { type DocumentState, maxProposals } from '../../../../model/profile/document-state.ts';
import { maxResumeMebibytes } from '../../../../model/profile/read-resume.ts';
import { within } from '../../../../model/within.ts';
import { getProfileDocument, listVersions, openUpload } from '../../../../operations/owner/profile.ts';
import { importResume, listProposals } from '../../../../operations/owner/proposals.ts';
import type { Upload } from '../../../../operations/owner/services.ts';
import { discardChanges, getWorkingCopy } from '../../../../operations/owner/working-copy.ts';
import { cutField, hidden } from '../../form.ts';
import { type Html, redirectTo } from '../../page.ts';
import type { Uploaded } from '../../upload.ts';
import type { Desk, DeskPage, DeskRequest, DeskRouter } from '../router.ts';
import type { Imported } from './findings.ts';
import { found } from './found.ts';
import { obstacleNotice } from './yaml.ts';

const path = '/desk/profile/import';

const field = { name: 'resume', limitBytes: maxResumeMebibytes * 1024 ** 2 };

/** Adds the page on which a resume becomes the working copy of the profile, or a proposal. */
export function addImportTo(desk: DeskRouter, { site, run, commands, imports, waitMilliseconds }: Desk): void {
  /** The latest readings that were still running when the response was due, by id. */
  const readings = new Map<string, Reading>();

  desk.early.page(path, async ({ query, formToken }) => {
    const id = query.get('read') ?? '';
    const imported = imports.get(id);
    return page(formToken, imported === undefined ? {} : { imported, id });
  });

  desk.early.upload(`${path}/read`, field, async ({ receive, signal, formToken, session }) => {
    const upload = await run(openUpload, {});
    let outcome: Promise<Outcome> | null = null;
    let isKept = false;
    try {
      const uploaded = await receive(upload.write);
      if (uploaded === null) return path;
      const name = cutField(uploaded.name, maxNameLength);
      const refusal = refusalOf(uploaded, name, maxResumeMebibytes);
      if (refusal !== null) return refused(formToken, { status: uploaded.isTooLarge ? 413 : 422, why: refusal });
      outcome = read(upload, name, { signal, session: session.id });
      const end = await within(waitMilliseconds, outcome);
      if (end === null) {
        isKept = true;
        return keep({ name, outcome });
      }
      return 'path' in end ? end.path : refused(formToken, end);
    } finally {
      // A reading that is still running needs the file.
      const closed = Promise.allSettled([outcome]).then(upload.close);
      if (!isKept) await closed;
    }
  });

  async function read(
    upload: Upload,
    name: string,
    asked: { readonly signal: AbortSignal; readonly session: string },
  ): Promise<Outcome> {
    const { id, isTaken, account, message, text } = await run(importResume, {
      upload,
      name: toVisible(name),
      ...asked,
    });
    if (id === null)
      return { status: 422, why: (message ?? '').replace(formats, ', and not a resume in one of the formats below.') };
    if (account !== null) imports.set(id, { name, account, text });
    for (const oldest of [...imports.keys()].slice(0, -maxProposals)) imports.delete(oldest);
    if (!isTaken) return { path: `/desk/profile/proposals/${id}` };
    return { path: account === null ? '/desk/profile' : `${path}?read=${id}` };
  }

  /** Returns the path of a page that waits for the end of a reading. */
  function keep(reading: Reading): string {
    const id = crypto.randomUUID();
    reading.outcome.catch(() => {}); // the page says so
    readings.set(id, reading);
    for (const oldest of [...readings.keys()].slice(0, -maxProposals)) readings.delete(oldest);
    return `${path}/reading/${id}`;
  }

  desk.early.page(`${path}/reading/:id`, async ({ params: { id = '' }, formToken }) => {
    const { name, outcome } = readings.get(id) ?? forgotten;
    const end = await within(0, outcome);
    if (end !== null) return 'path' in end ? redirectTo(site.path(end.path)) : refused(formToken, end);
    return {
      title: 'Reading your resume',
      section: 'Profile',
      status: 202,
      refreshSeconds: lookAgainSeconds,
      body: html`<div class="first-profile">
<h1>Reading your resume</h1>
<p class="lead"><bdi>${toVisible(name)}</bdi> is still being read: it is large, or this machine is busy.</p>
<p>This page looks again every ${lookAgainSeconds} seconds, and leads to what was found. <a href="">Look again</a></p>
</div>`,
    };
  });

  const refused = (formToken: Html, { status, why }: Refused): Promise<DeskPage> =>
    page(formToken, {
      status,
      notice: html`<p class="notice bad" role="alert">${toVisible(why)}${status === 404 ? '' : ' Nothing is stored.'}</p>`,
    });

  desk.early.action(`${path}/remove`, async ({ fields, session }) => {
    const { stored, revision } = await run(getWorkingCopy, {});
    // Not if something was changed since the import.
    if (stored?.changes.length === 1 && stored.changes[0]!.id === fields.get('read'))
      await run(discardChanges, { revision, session: session.id });
    return path;
  });

  interface Shown {
    readonly imported?: Imported;
    readonly id?: string;
    readonly notice?: Html;
    readonly status?: number;
  }

  async function page(
    formToken: DeskRequest['formToken'],
    { imported, id = '', notice, status = 200 }: Shown,
  ): Promise<DeskPage> {
    const document = await run(getProfileDocument, {});
    const proposals = imported === undefined ? await run(listProposals, {}) : [];
    const wasLost = document.place === 'none' && (await run(listVersions, {})).length > 0;
    return {
      title: status === 200 || status === 404 ? 'Put your profile here' : 'Not read: put your profile here',
      section: 'Profile',
      status,
      body: html`<div class="first-profile">
<h1>Put your profile here</h1>
<p class="lead">${leadOf(document)}</p>
${notice ?? ''}
${wasLost ? html`<p class="notice attention">A profile was here, and its file is gone. <a href="${site.path('/desk/profile/history')}">Restore a version of it</a></p>` : ''}
${document.obstacle === null ? '' : obstacleNotice(document)}
${imported === undefined ? chooser(formToken) : foundIn(imported, id, formToken)}
${proposals.length === 0 ? '' : html`<p><a href="${site.path('/desk/profile/proposals')}">${pluralize(proposals.length, 'proposal')}</a> from earlier.</p>`}
</div>`,
    };
  }

  const chooser = (
    formToken: Html,
  ): Html => html`<form class="upload" method="post" action="${site.path(`${path}/read`)}" enctype="multipart/form-data">
${formToken}<div class="drop"><label for="resume">Drop your resume here, or choose a file</label>
<input type="file" id="resume" name="resume" required aria-describedby="resume-hint">
<p class="small soft" id="resume-hint">PDF, Word (DOCX), LinkedIn’s export (ZIP), JSON Resume, RenderCV, Reactive Resume, or a profile that you have already; ${maxResumeMebibytes} MiB at most. It is read on this machine and sent nowhere.</p></div>
<p><button>Read it</button></p>
</form>
<p><a href="${site.path('/desk/profile?empty')}">Start from an empty page</a></p>
<details><summary>I edit YAML in my own editor</summary><p>This writes a file for you to fill in, which is served as soon as it exists:</p><pre>${commands.init}</pre><p>Or <a href="${site.path('/desk/profile/yaml')}">write it here as YAML</a>.</p></details>`;

  function foundIn(imported: Imported, id: string, formToken: Html): Html {
    return html`${found(imported)}
<div class="actions"><a class="button" href="${site.path('/desk/profile')}">Look through it</a>
<form method="post" action="${site.path(`${path}/remove`)}">${formToken}${hidden('read', id)}<button class="secondary">Use another file</button></form></div>
<p class="small soft">Nothing is published until you publish it.</p>`;
  }
}

export const maxNameLength = 200;

const lookAgainSeconds = 5;

/** Why a reading made nothing, and the status of the page that says so. */
interface Refused {
  readonly status: number;
  readonly why: string;
}

/** The path of what a reading made, or why it made nothing. */
type Outcome = { readonly path: string } | Refused;

interface Reading {
  /** The name of the file. */
  readonly name: string;
  readonly outcome: Promise<Outcome>;
}

const forgotten: Reading = {
  name: '',
  outcome: Promise.resolve({
    status: 404,
    why: 'The service was started again while it read your file, and has forgotten it. Choose the file again.',
  }),
};

/** The end of a message that lists the formats, which are on the page already. */
const formats = /; what can be imported is .*$/s;

const leadOf = ({ place }: DocumentState): string =>
  `${places[place] ?? 'This makes a proposal beside the profile that is here now: you see what it changes before you take it over.'} Start from the resume you have; you look at everything before anybody sees it.`;

const places: Partial<Record<DocumentState['place'], string>> = {
  none: 'There is nothing at this address yet.',
  sample: 'This address shows a sample now.',
};

/** Returns why an uploaded file is refused, in a sentence; null if it is not. */
export function refusalOf(uploaded: Uploaded, name: string, mebibytes: number): string | null {
  const { bytes, isTooLarge, isStored, hasOthers } = uploaded;
  if (hasOthers) return 'Choose one file, not several.';
  if (name === '') return 'Choose a file first.';
  if (isTooLarge) return `${name} is larger than ${mebibytes} MiB.`;
  if (!isStored) return `${name} could not be written to the disk, which may be full.`;
  return bytes === 0 ? `${name} is empty.` : null;
}
