import { type DocumentFault, readProfileText } from 'resume-profile/profile-reader';
import { applyEdit } from 'resume-profile/yaml/edit';
import { nullIfNotFound } from '../../../../model/failure.ts';
import type { DocumentState } from '../../../../model/profile/document-state.ts';
import { merge } from '../../../../model/profile/merge.ts';
import { getDraft, getProfileDocument, getTextOfRevision, saveDraft } from '../../../../operations/owner/profile.ts';
import type { Desk } from '../router.ts';
import { type DocumentValues, readValues } from './document-values.ts';

/** The text that a form edits: the document, or a draft of it. */
export interface Source {
  readonly text: string;
  readonly values: DocumentValues;
  readonly document: DocumentState;
  /** The revision of the document that the text has, or that the draft is based on. */
  readonly baseRevision: string;
  readonly draft: { readonly id: string; readonly revision: string } | null;
}

/** Returns the text of the document at a revision; null if it is not kept. */
export const textOf = async (run: Desk['run'], revision: string, document: DocumentState): Promise<string | null> =>
  (revision === document.revision ? document : await run(getTextOfRevision, { revision })).text;

/** Opens texts to be edited in forms. Throws `Unreadable` if forms cannot show one. */
export function sourcesOf(run: Desk['run']) {
  async function openDocument(): Promise<Source> {
    const document = await run(getProfileDocument, {});
    return sourceOf(document.text, document, document.revision, null);
  }

  async function openDraft(id: string): Promise<Source> {
    const draft = await run(getDraft, { id });
    return sourceOf(draft.text, await run(getProfileDocument, {}), draft.baseRevision, draft);
  }

  /** Opens the text that a form was made from, or the document as it is now if that text is not kept. */
  async function openSent(fields: URLSearchParams): Promise<Source & { readonly isKnown: boolean }> {
    const sent = (name: string) => fields.get(name) ?? '';
    const revision = sent('revision');
    if (sent('draft') !== '') {
      const source = await openDraft(sent('draft')).catch(nullIfNotFound);
      const draft = { id: sent('draft'), revision: sent('draft_revision') };
      if (source !== null)
        return { ...source, baseRevision: revision, draft, isKnown: source.draft?.revision === draft.revision };
    }
    const document = await run(getProfileDocument, {});
    const text = await textOf(run, revision, document);
    return { ...sourceOf(text ?? document.text, document, revision, null), isKnown: text !== null };
  }

  /** Saves a draft merged with the changes of the file since it was begun; null if they are unknown or cannot be written. */
  async function withFile(source: Source, text: string, now: Source): Promise<Source | null> {
    const { text: base } = await run(getTextOfRevision, { revision: source.baseRevision });
    const [before, mine] = [base ?? '', text].map(readValues);
    if (before == null || mine == null || source.draft === null) return null;
    const both = withValues(text, merge(before, mine, now.values, new WeakMap()));
    if (typeof both !== 'string') return null;
    const { revision } = now.document;
    const { id } = await run(saveDraft, { text: both, base_revision: revision, draft: source.draft });
    return id === null ? null : openDraft(id);
  }

  return { openDocument, openDraft, openSent, withFile };
}

function sourceOf(text: string | null, document: DocumentState, baseRevision: string, draft: Source['draft']): Source {
  const values = text === null ? null : readValues(text);
  if (text !== null && values !== null) return { text, values, document, baseRevision, draft };
  throw new Unreadable(text === null ? document.readFaults : readProfileText(text).locatedFaults, draft?.id ?? null);
}

/** The text cannot be shown in forms. */
export class Unreadable extends Error {
  readonly faults: readonly DocumentFault[];
  readonly draftId: string | null;
  constructor(faults: readonly DocumentFault[], draftId: string | null) {
    super();
    this.faults = faults;
    this.draftId = draftId;
  }
}

/** Returns a text with other values, or a clause that says why it cannot have them. */
export function withValues(text: string, value: unknown): string | { readonly refusal: string } {
  try {
    return applyEdit(text, { kind: 'set', path: [], value });
  } catch (error) {
    return { refusal: (error as Error).message };
  }
}
