import { effect, useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { contrastOnLight, defaultAccent } from 'resume-profile/accent';
import { labelOf, optionOf } from '../labels.ts';
import { askPreview } from './beside.ts';
import { editor } from './state.ts';
import { html, page } from './ui.ts';

/** Colours that are readable on paper, with their names. */
const colours = {
  '#0b5d6b': 'Petrol',
  '#1f4e8c': 'Blue',
  '#4a3f8f': 'Violet',
  '#7d2148': 'Wine',
  '#9b2c2c': 'Red',
  '#8a4b08': 'Ochre',
  '#2f5d3a': 'Green',
  '#33383d': 'Graphite',
};

/** What is chosen by a picture of the own resume, and what by words. */
const pictured = ['theme', 'font', 'margins', 'paper'] as const;
const sizes = Array.from({ length: 7 }, (_, index) => 9 + index / 2);
const pageCounts = Array.from({ length: 9 }, (_, index) => index + 1);

/** How the resume looks: each choice is seen at once in the preview beside it. */
export function Look(): VNode {
  const revision = useSignal<string | null>(null);
  useEffect(() => {
    void editor
      .flush()
      .then(() => askPreview('page'))
      .then((preview) => {
        revision.value = preview.revision;
      })
      .catch(() => {});
  }, []);
  return html`<div class="paper panel">
    <header><h1>Look</h1><p class="soft">The pictures are of your own resume. Whatever you choose is shown beside this at once.</p></header>
    ${pictured.map((key) => html`<${Pictures} key=${key} field=${key} revision=${revision.value} />`)}
    <${Colours} path=${['accent']} unset=${defaultAccent} none="As usual" hint="Of links and buttons on your pages, and of the PDF." />
    <${Colours} path=${['resume', 'accent']} unset=${editor.at(['accent']) ?? defaultAccent} none="That of the pages" />
    <section class="panel-part"><h2>More exactly</h2><div>
      <${Choice} field="size" options=${sizes} textOf=${(size: number) => `${size} points`} none="As the look has it" />
      <${Choice} field="pages" options=${pageCounts} textOf=${String} none="As many as it needs" />
      <${Choice} field="language" options=${labelOf('resume.language').usual ?? []} textOf=${languageName} none="English" />
    </div></section>
  </div>`;
}

const languageName = (tag: string): string => new Intl.DisplayNames('en', { type: 'language' }).of(tag) ?? tag;

interface PicturesProps {
  readonly field: (typeof pictured)[number];
  /** The revision that the pictures are of; null until it is known. */
  readonly revision: string | null;
}

function Pictures({ field, revision }: PicturesProps): VNode {
  const path = `resume.${field}`;
  const { label, none } = labelOf(path);
  const schema = page().fields[path];
  const options = schema?.kind === 'choice' ? schema.options : [];
  const chosen = editor.at(['resume', field]);
  const radio = (value: string | undefined) => html`<input type="radio" name=${path} checked=${chosen === value}
    onChange=${() => editor.set(['resume', field], value)} />`;
  const usual = field === 'theme' && page().usualTheme !== null ? `: ${optionOf(page().usualTheme!)}` : '';
  const picture = (value: string) => html`<label class="picture">${radio(value)}
    ${revision && html`<img loading="lazy" alt="" width="240" height="180" src=${`${page().paths.preview}/${revision}/design/${field}/${value}`} />`}
    <span>${optionOf(value)}</span></label>`;
  return html`<div class="panel-part" data-at=${`/resume/${field}`} role="radiogroup" aria-label=${label}>
    <h2>${label}</h2><p><label class="choice">${radio(undefined)} ${none ?? `As the service is set${usual}`}</label></p>
    <div class="pictures">${options.map(picture)}</div>
  </div>`;
}

interface ColoursProps {
  readonly path: readonly string[];
  /** The colour without a choice. */
  readonly unset: string;
  readonly none: string;
  readonly hint?: string;
}

function Colours({ path, unset, none, hint }: ColoursProps): VNode {
  const name = path.join('.');
  const { label } = labelOf(name);
  const written = editor.at(path) as string | undefined;
  const chosen = written === unset ? undefined : written;
  const isOwn = chosen !== undefined && !(chosen in colours);
  const offered = Object.entries(colours).filter(([value]) => value !== unset);
  const swatch = (value: string | undefined, words: string) => {
    const colour = value ?? unset;
    const contrast = contrastOnLight(colour);
    return html`<label class="swatch" key=${value}><input type="radio" name=${name} checked=${chosen === value} onChange=${() => editor.set(path, value)} />
      <i style=${{ background: colour }}></i> <span>${words}</span>
      <small>${contrast.toFixed(1)} : 1${contrast < 4.5 && ', is darkened to be readable'}</small></label>`;
  };
  return html`<div class="panel-part" data-at=${`/${path.join('/')}`} role="radiogroup" aria-label=${label}>
    <h2>${label}</h2>${hint && html`<p class="soft">${hint}</p>`}
    <div class="swatches">${swatch(undefined, none)}${offered.map(([value, words]) => swatch(value, words))}
      ${isOwn && swatch(chosen, 'Your own')}
      <label class="swatch"><input type="color" value=${chosen ?? unset} onChange=${(event: Event) => editor.set(path, (event.currentTarget as HTMLInputElement).value)} /> <span>Another colour</span></label>
    </div>
  </div>`;
}

interface ChoiceProps<Value> {
  readonly field: string;
  readonly options: readonly Value[];
  readonly textOf: (value: Value) => string;
  readonly none: string;
}

/** A list to choose one of, or none. A value that the list lacks stays offered. */
function Choice<Value>({ field, options, textOf, none }: ChoiceProps<Value>): VNode {
  const chosen = editor.at(['resume', field]) as Value | undefined;
  const all = chosen === undefined || options.includes(chosen) ? options : [...options, chosen];
  const choose = ({ currentTarget }: Event) =>
    editor.set(['resume', field], all[(currentTarget as HTMLSelectElement).selectedIndex - 1]);
  return html`<label class="choice" data-at=${`/resume/${field}`}><span>${labelOf(`resume.${field}`).label}</span>
    <select onChange=${choose}><option selected=${chosen === undefined}>${none}</option>
      ${all.map((value) => html`<option selected=${value === chosen}>${textOf(value)}</option>`)}</select></label>`;
}

/** Sets a new resume on Letter once it has something, where that is the usual paper: the service has no way to know. */
export function preferLetter(language: string): void {
  if (!/^[a-z]{2,3}(-[a-z]{4})?-(US|CA)\b/i.test(language)) return;
  const isNew = () => Object.keys((editor.copy.value.base ?? {}) as object).length === 0;
  let isDone = !isNew() || editor.at(['resume', 'paper']) !== undefined;
  const stop = effect(() => {
    const document = (editor.document.value ?? {}) as object;
    if (isDone || Object.keys(document).length === 0) return;
    isDone = true;
    queueMicrotask(() => {
      stop();
      if (isNew() && editor.at(['resume', 'paper']) === undefined) editor.set(['resume', 'paper'], 'us-letter');
    });
  });
}
