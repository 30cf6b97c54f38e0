import { lint } from 'resume-profile/lint';
import type { Profile } from 'resume-profile/profile-document';
import type { DocumentFault } from 'resume-profile/profile-reader';
import { nameOf } from '../../../../model/profile/differences.ts';
import { readValues } from '../../../../model/profile/document-text.ts';
import { equals, toPointer, valueAt } from '../../../../model/profile/patch.ts';
import type { Finding, PatchOperation, Path, Value } from '../../../../model/profile/working-copy.ts';
import { capitalize } from '../../format.ts';
import type { Desk } from '../router.ts';
import { fieldsByPath } from './fields.ts';
import { labelOf } from './labels.ts';

/** An imported file, with the text that was made of it. */
export type Imported = Desk['imports'] extends Map<string, infer One> ? One : never;

/** A text of the profile document that was checked. */
interface Checked {
  readonly text: string;
  readonly values: Value;
  /** The profile in the order of the text; null if the text has faults. */
  readonly written: Profile | null;
  readonly faults: readonly DocumentFault[];
  readonly today: Date;
}

/** Returns the faults of a text, the warnings about it, and the fields that an import filled in, unless they were changed since. */
export function findingsOf(
  { text, values, written, faults, today }: Checked,
  imported: Imported | null,
): readonly Finding[] {
  const filledIn = imported === null ? [] : stillFilledIn(text, values, imported);
  const isFaulty = new Set(faults.map(({ path }) => toPointer(path)));
  const remarks = [...filledIn, ...(written === null ? [] : lint(written, today))].filter(
    ({ path }) => !isFaulty.has(toPointer(path)),
  );
  const toFinding = (
    kind: Finding['kind'],
    path: Path,
    said: string,
    line: number | null,
    mend: Finding['mend'] | null,
  ) => {
    const place = placeOf(path, values);
    const dated = withDates(said);
    // A host name is not capitalized.
    const message = /^\S+\.\S/.test(dated) ? dated : capitalize(dated);
    const inSentence = dated.startsWith('This ') ? ` ${dated.slice('This '.length)}` : `: ${dated}`;
    const summary = place === null ? message : place + inSentence;
    return { kind, pointer: toPointer(path), message, summary, line, ...(mend && { mend }) };
  };
  return [
    ...withoutFollowing(faults).map(({ path, message, line }) =>
      toFinding('fault', path, inWords(message), line, mendOf(path, message, values)),
    ),
    ...Map.groupBy(remarks, ({ path }) => toPointer(path))
      .values()
      .map((same) => {
        const { path } = same[0]!;
        const said = `${withLabels(same.map(({ message }) => message).join('; '))}.`;
        const mend = same.map(({ message }) => mendOf(path, message, values)).find((one) => one !== null);
        return toFinding('remark', path, said, null, mend ?? null);
      }),
  ];
}

const month = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Writes the dates in a text as people do. */
const withDates = (text: string): string =>
  text.replace(/\b\d{4}-\d\d(-\d\d)?\b/g, (date) =>
    Number.isNaN(Date.parse(date)) ? date : month.format(new Date(date)),
  );

function stillFilledIn(text: string, values: Value, { account: { filledIn }, text: textThen }: Imported) {
  if (text === textThen) return filledIn;
  const then = readValues(textThen);
  return filledIn.filter(({ path }) => equals(valueAt(values, path), valueAt(then, path)));
}

/** Leaves out the fault of a company's date if a role has a fault of the same date. */
const withoutFollowing = (faults: readonly DocumentFault[]): readonly DocumentFault[] =>
  faults.filter(
    ({ path: [, company, key] }) =>
      !faults.some(({ path }) => path[1] === company && path[2] === 'roles' && `company_${path[4]}` === key),
  );

/** Returns the one right correction of a finding; null if there is none. */
function mendOf(path: Path, message: string, values: Value): Finding['mend'] | null {
  const at = (key: string | number) => toPointer([...path.slice(0, -1), key]);
  const [own, value] = [toPointer(path), valueAt(values, path)];
  const test: PatchOperation = { op: 'test', path: own, value };
  const entry = valueAt(values, path.slice(0, 2));
  if (path[0] === 'experience' && isEmptyJob(entry)) {
    const job = toPointer(path.slice(0, 2));
    return {
      label: 'Remove the empty job',
      patch: [
        { op: 'test', path: job, value: entry },
        { op: 'remove', path: job },
      ],
    };
  }
  const [, start] = /^must not be before (\w+)$/.exec(message) ?? [];
  if (start !== undefined) {
    const began = valueAt(values, [...path.slice(0, -1), start]);
    const swap: PatchOperation[] = [
      test,
      { op: 'replace', path: own, value: began },
      { op: 'replace', path: at(start), value },
    ];
    return { label: 'Swap the two dates', patch: swap };
  }
  if (/ is in the future$/.test(message) && path[1] === 'certifications' && path.at(-1) === 'date') {
    const isFree: PatchOperation = { op: 'test', path: at('end_date'), value: null };
    return { label: 'Make it the end', patch: [test, isFree, { op: 'move', from: own, path: at('end_date') }] };
  }
  const titles = JSON.stringify(valueAt(values, [...path.slice(0, -1), 'roles']) ?? []);
  if (/^is empty.*the name of the company/.test(message) && /freelanc|self-employed|independent/i.test(titles))
    return { label: 'Write “Self-employed”', patch: [test, { op: 'replace', path: own, value: 'Self-employed' }] };
  const [, key] = /^is not a known key; did you mean (\w+)\?$/.exec(message) ?? [];
  if (key !== undefined) return { label: `Make it “${key}”`, patch: [test, { op: 'move', from: own, path: at(key) }] };
  if (/try https:\/\/$/.test(message))
    return {
      label: 'Make it https://',
      patch: [test, { op: 'replace', path: own, value: String(value).replace(/^http:/, 'https:') }],
    };
  return null;
}

function isEmptyJob(entry: Value): boolean {
  const { company, roles = [] } = (entry ?? {}) as { readonly company?: Value; readonly roles?: readonly Value[] };
  return !company && roles.length === 0;
}

const words = new Map([
  ['is required', 'This is missing.'],
  ['must not be empty', 'This is empty.'],
  ['must not be blank; write "" if there is nothing to say', 'This has only spaces.'],
  [
    'must be a date: YYYY-MM-DD, YYYY-MM or YYYY',
    'This is not a date. Write one such as March 2018, 2018 or 5 March 2018.',
  ],
  ['must not be before start_date', 'This is before “From”. Enter a later date.'],
  ['must not be before company_start_date', 'This is before “There from”. Enter a later date.'],
  ['must be an http or https URL', 'Write an address that begins with https://'],
  ['must be a valid email address', 'Write an e-mail address such as name@example.org.'],
  ['must be a colour such as "#0b5d6b", in quotes', 'Write a colour such as #0b5d6b.'],
  ['must be in ASCII, all else percent-encoded', 'Open this page in a browser, and copy the address from there.'],
  ['is given twice', 'The file has this twice: remove one of them in The file (YAML).'],
  ['must be set, so that notices can reach you', 'Write an address: messages to you and requests for access go there.'],
  ['must be a string', 'The file has something else than a text here. Correct it in The file (YAML).'],
]);

/** Returns a message with the labels of fields in place of their keys, and without settings, which are for who runs the service. */
function withLabels(message: string): string {
  const clauses = message.split(/(?<=[;,]) /);
  const at = clauses.findIndex((clause, index) => index > 0 && /\b[A-Z]+_[A-Z]/.test(clause));
  const shown = at === -1 ? message : clauses.slice(0, at).join(' ').slice(0, -1);
  return shown.replace(/\bcompany_(start|end)_date\b/g, (key) => `“${labelOf(`experience.${key}`).label}”`);
}

/** Returns a fault in words for a person who does not see the file. */
const inWords = (message: string): string =>
  words.get(message) ?? `${capitalize(withLabels(message)).replaceAll('_', ' ')}.`;

/** Returns the name of a place, with the entry around it: `Job title of Casco Bay`; null if it has no label. */
function placeOf(path: Path, values: Value): string | null {
  const key = path.filter((step) => typeof step === 'string').join('.');
  if (!fieldsByPath().has(key)) return null;
  const names = path.flatMap((step, index) => {
    const entry = typeof step === 'number' ? valueAt(values, path.slice(0, index + 1)) : undefined;
    return typeof entry === 'object' ? (nameOf({ ...entry, id: null, url: null, role: null }) ?? []) : [];
  });
  const { label } = labelOf(key);
  return names.length === 0 ? label : `${label} of ${names.at(-1)}`;
}
