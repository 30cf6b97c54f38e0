import { signal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { pluralize } from 'resume-profile/text';
import type { Part } from '../../../../../model/profile/differences.ts';
import type { PdfState } from '../../../../../model/profile/print-state.ts';
import type { PatchOperation } from '../../../../../model/profile/working-copy.ts';
import { askPreview } from './beside.ts';
import type { Send } from './connection.ts';
import { editor } from './state.ts';
import { announce, html, Popover, page, show, view } from './ui.ts';

interface Differences {
  readonly revision: string;
  readonly differences: readonly { readonly words: readonly Part[]; readonly patch: readonly PatchOperation[] }[];
}

/** Why it was not published. The owner may accept that the PDF lacks characters: `key` names them. */
interface Refusal {
  readonly reason?: string;
  readonly message: string;
  readonly leftOut?: readonly { readonly characters: readonly string[] }[];
  readonly key?: string;
}

interface Published {
  /** The version before; null if there is none. */
  readonly undoVersion: number | null;
  readonly pageUrl: string;
  /** Whether only this computer can open the address. */
  readonly isLocal: boolean;
  /** Null if visitors get no PDF of ours. */
  readonly pdf: PdfState | null;
}

/** What was published last, until the owner goes on. */
export const published = signal<Published | null>(null);

/** Whether nothing was published yet, so that all of it is a change. */
const isFirst = () => Object.keys((editor.copy.value.base ?? {}) as object).length === 0;

/** *Publish N changes*: what would be published, in words, each with *Take back*. */
export function Publish({ send }: { readonly send: Send }): VNode {
  const { unpublished } = editor.copy.value;
  const count = isFirst() ? 'your profile' : pluralize(unpublished, 'change');
  const text = html`Publish${unpublished > 0 && html`<span> ${count}</span>`}`;
  return html`<${Popover} class="primary ed-publish" popClass="pop-end publish" text=${text} isDisabled=${unpublished === 0}
    isOpen=${view.value === 'publish'}
    title="What will be published">${() => html`<${Changes} send=${send} />`}</${Popover}>`;
}

function Changes({ send }: { readonly send: Send }): VNode {
  const [list, setList] = useState<Differences | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const refuse = (message: string) => setRefusal({ message });

  async function load(): Promise<void> {
    if (!(await editor.flush())) return refuse('What you typed last is not saved yet. It can be published once it is.');
    const answer = await send('changes/differences').catch(() => null);
    if (answer?.status === 200) setList(answer.body);
    else refuse('The changes cannot be listed at the moment.');
  }

  async function publish(more: object = {}): Promise<void> {
    setBusy(true);
    const body = { revision: list?.revision, ...more };
    const answer = await send('publish', { method: 'POST', body }).catch(() => null);
    setBusy(false);
    if (answer?.status === 200) {
      announce('Published');
      published.value = answer.body;
      await editor.refresh();
      return;
    }
    const { reason, message = 'it cannot be published at the moment.', ...rest } = answer?.body ?? {};
    setRefusal({ ...rest, reason, message: `Not published: ${message}` });
    // It was changed elsewhere: what would be published now is listed.
    if (reason === 'changed') await editor.refresh().then(load);
  }

  async function takeBack(patch: readonly PatchOperation[]): Promise<void> {
    if (!editor.apply(patch)) refuse('It has been changed since. The list is new now.');
    else announce('Taken back');
    await load();
  }

  useEffect(() => void load(), []);
  const differences = list?.differences ?? [];
  const faults = editor.copy.value.findings.filter(({ kind }) => kind === 'fault').length;
  return html`<h2>What will be published</h2>
    ${refusal && html`<div class="notice bad" role="alert"><p>${refusal.message}</p>${refusal.leftOut && html`<p><bdi>${charactersOf(refusal)}</bdi></p>`}</div>`}
    ${list === null && refusal === null && html`<p class="soft">One moment …</p>`}
    ${list !== null && differences.length === 0 && html`<p>Nothing is left to publish.</p>`}
    ${faults > 0 && html`<p>First correct ${pluralize(faults, 'fault')}: they are among the things to look at.</p>`}
    <p class="pop-actions">
      <button type="button" class="primary" disabled=${isBusy || differences.length === 0 || faults > 0}
        onClick=${() => publish()}>${isBusy ? 'Publishing …' : 'Publish'}</button>
      ${refusal?.key !== undefined && html`<button type="button" onClick=${() => publish({ leftOut: refusal.key })}>Publish without them in the PDF</button>`}
    </p>
    ${
      isFirst()
        ? html`<${First} />`
        : html`<ol class="publish-list">${differences.map(
            ({ words, patch }) => html`<li>
        <span class="publish-words">${words.map(({ text, isName }) => (isName ? html`<b>${text}</b>` : text))}</span>
        ${patch.length > 0 && html`<button type="button" onClick=${() => takeBack(patch)}>Take back</button>`}</li>`,
          )}</ol>`
    }`;
}

/** Says who sees the first version. */
const First = () => html`<p>Your page then shows your profile: to everybody what is ticked for anyone in${' '}
  <button type="button" onClick=${() => show('seen')}>Who sees what</button>, the rest to people with access. Nobody is told of it.</p>`;

const charactersOf = ({ leftOut = [] }: Refusal): string =>
  leftOut
    .flatMap(({ characters }) => characters)
    .slice(0, 60)
    .join(' ');

function pdfWords({ isPrinted, fault }: PdfState): string {
  if (isPrinted) return 'The PDF of it is printed.';
  return fault === null
    ? 'The PDF of it is being printed …'
    : `The PDF of it cannot be printed: ${fault}. It is tried again.`;
}

/** What is said after publishing: the page as visitors see it now, and the way back. */
export function PublishedPage({ send }: { readonly send: Send }): VNode {
  const { pageUrl, isLocal, undoVersion } = published.value!;
  const [pdf, setPdf] = useState(published.value!.pdf);
  const [fault, setFault] = useState('');
  const [frame, setFrame] = useState<string | undefined>();

  async function undo(): Promise<void> {
    const answer = await send('publish/undo', { method: 'POST', body: { version: undoVersion } }).catch(() => null);
    if (answer?.status !== 200) return setFault(answer?.body?.message ?? 'It cannot be undone at the moment.');
    announce('The version before is published again. Your changes are kept, and not published.');
    published.value = null;
    await editor.refresh();
  }

  useEffect(() => {
    if (pdf === null || pdf.isPrinted || pdf.fault !== null) return;
    // Each answer waits a while for the printer.
    send('publish/pdf').then(
      ({ status, body }) => status === 200 && setPdf(body),
      () => {},
    );
  }, [pdf]);
  useEffect(() => {
    document.getElementById('published')?.focus();
    askPreview('page').then(
      (preview) => setFrame(preview.frame),
      () => {},
    );
  }, []);
  return html`<section class="published" aria-labelledby="published">
    <h2 id="published" tabindex="-1">Published</h2>
    ${fault && html`<p class="notice bad" role="alert">${fault}</p>`}
    ${frame && html`<div class="published-frame"><iframe src=${frame} title="Your page" tabindex="-1"></iframe></div>`}
    <p><code id="published-address">${pageUrl}</code>${' '}
      <button type="button" data-copy="published-address" hidden=${navigator.clipboard === undefined}>Copy</button></p>
    ${isLocal && html`<p class="soft">Only this machine can open this address.</p>`}
    ${pdf && html`<p role="status">${pdfWords(pdf)}</p>`}
    <p class="actions">
      <button type="button" class="primary" onClick=${() => (published.value = null)}>Go on editing</button>
      <a class="button secondary" href=${page().paths.share}>Make a link to it</a>
      ${undoVersion != null && html`<button type="button" class="secondary" onClick=${undo}>Undo</button>`}
    </p></section>`;
}
