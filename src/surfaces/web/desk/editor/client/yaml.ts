import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { yaml, yamlLanguage } from '@codemirror/lang-yaml';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { basicSetup, EditorView } from 'codemirror';
import { type KeysByPath, suggestions } from './yaml-keys.ts';

// Puts an editor of code in place of the field of the page *The file (YAML)*.

const area = document.querySelector<HTMLTextAreaElement>('.source textarea')!;
const form = area.form;
const { keys, nonce }: { readonly keys: KeysByPath; readonly nonce: string } = JSON.parse(
  document.getElementById('yaml-page')!.textContent!,
);

// What is typed is kept until it is saved, which makes another revision.
const key = 'candidate-profile-yaml';
const revision = new FormData(form ?? undefined).get('revision');
const typed = JSON.parse(sessionStorage.getItem(key) ?? 'null');

const complete = ({ state, pos }: CompletionContext): CompletionResult | null => {
  const before = state.sliceDoc(0, pos);
  const { from, options } = suggestions(before, keys);
  return options.length === 0 ? null : { from: pos - from, options: [...options], validFor: /^[\w$-]*$/ };
};

/** Asks the service for the faults of the text, each at its line. */
async function faultsOf({ state: { doc } }: EditorView): Promise<Diagnostic[]> {
  const body = new URLSearchParams(new FormData(form!) as unknown as Record<string, string>);
  body.set('text', doc.toString());
  const response = await fetch(area.dataset.check!, { method: 'POST', body }).catch(() => null);
  if (!response?.ok) return [];
  const faults: { readonly line: number | null; readonly message: string }[] = await response.json();
  return faults.map(({ line, message }) => {
    const { from, to } = doc.line(Math.min(line ?? 1, doc.lines));
    return { from, to, severity: 'error', message };
  });
}

const save = (): true => {
  form?.requestSubmit();
  return true;
};

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--link)' },
  { tag: [tags.string, tags.content], color: 'var(--ink)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--good)' },
  { tag: [tags.comment, tags.lineComment], color: 'var(--soft)', fontStyle: 'italic' },
  { tag: [tags.punctuation, tags.separator, tags.meta], color: 'var(--soft)' },
]);

/** The look of the desk; CodeMirror's own marks are images, which the policy of the page does not allow. */
const look = EditorView.theme({
  '&': { border: '1px solid var(--edge)', borderRadius: '3px', background: 'var(--paper)' },
  '&.cm-focused': { outline: '2px solid var(--link)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', fontSize: '0.875rem', fontVariantLigatures: 'none' },
  '.cm-content': { caretColor: 'var(--ink)' },
  '.cm-cursor': { borderColor: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground': { background: 'color-mix(in srgb, var(--link) 25%, transparent) !important' },
  '.cm-gutters, .cm-tooltip, .cm-panels': {
    background: 'var(--panel)',
    color: 'var(--soft)',
    borderColor: 'var(--rule)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'color-mix(in srgb, var(--link) 7%, transparent)' },
  '.cm-lint-marker-error': { content: 'none' },
  '.cm-lint-marker-error::before': { content: '"!"', color: 'var(--bad)', fontWeight: '700' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy 1px var(--bad)' },
});

const view = new EditorView({
  doc: typed?.revision === revision ? typed.text : area.value,
  extensions: [
    keymap.of([{ key: 'Mod-s', preventDefault: true, run: save }]),
    [basicSetup, EditorView.lineWrapping, EditorView.cspNonce.of(nonce), look, syntaxHighlighting(colours)],
    [yaml(), yamlLanguage.data.of({ autocomplete: complete })],
    EditorView.contentAttributes.of({ 'aria-label': 'The whole text', dir: 'ltr' }),
    // The button stays in sight below the text.
    EditorView.scrollMargins.of(() => ({ bottom: 80 })),
    form === null ? EditorState.readOnly.of(true) : [lintGutter(), linter(faultsOf, { delay: 500 })],
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) sessionStorage.setItem(key, JSON.stringify({ revision, text: state.doc.toString() }));
    }),
  ],
});
area.hidden = true;
area.after(view.dom);
form?.addEventListener('submit', () => {
  area.value = view.state.doc.toString();
});
