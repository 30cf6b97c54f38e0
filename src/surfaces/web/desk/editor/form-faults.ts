import { html } from 'hono/html';
import { type DocumentFault, toFaultText } from 'resume-profile/profile-reader';
import { toVisible } from 'resume-profile/text';
import { nameOf as nameOfEntry } from '../../../../model/profile/differences.ts';
import { capitalize } from '../../format.ts';
import { type Html, inDetails, type Site } from '../../page.ts';
import { type DocumentValues, valueAt } from './document-values.ts';
import { fieldAt, nameInWords } from './fields.ts';
import type { FormEntries } from './form-entries.ts';
import { labelOf, rankOf } from './labels.ts';
import { pathOf } from './outline.ts';
import { parts } from './parts.ts';

type Path = DocumentFault['path'];
type Remark = Pick<DocumentFault, 'path' | 'message'>;

/** Returns the faults by the name of the control that shows each, for the closest value with a control. */
export function faultsByName(faults: readonly DocumentFault[], entries: FormEntries): ReadonlyMap<string, string> {
  const shown = new Map<string, string>();
  for (const { path, message } of withoutFollowing(faults)) {
    const name = ofFirstRole(nameOf(path, entries), entries);
    const said = shown.get(name);
    if (name !== '') shown.set(name, `${said === undefined ? '' : `${said} `}${inWords(message)}`);
  }
  return shown;
}

/** Returns the remarks by the name of the control that shows each. */
export const remarksByName = (remarks: readonly Remark[], entries: FormEntries): ReadonlyMap<string, string> =>
  new Map(
    remarks.flatMap(({ path, message }): [string, string][] => {
      const name = nameOf(path, entries);
      const said = withLabels(message);
      // A host name is not capitalized.
      return name === '' ? [] : [[name, `${/^\S+\.\S/.test(said) ? said : capitalize(said)}.`]];
    }),
  );

/** Returns the control of the first role for a missing company start date that would follow from the role. */
function ofFirstRole(name: string, entries: FormEntries): string {
  const role = name.replace(/\.company_start_date$/, '.roles.0.start_date');
  const isEmpty = (one: string) => entries.get(one)?.[0]?.trim() === '';
  return isEmpty(name) && isEmpty(role) ? role : name;
}

/** Leaves out the fault of a company's date if a role has a fault of the same date. */
export const withoutFollowing = (faults: readonly DocumentFault[]): readonly DocumentFault[] =>
  faults.filter(
    ({ path: [, company, key] }) =>
      !faults.some(({ path }) => path[1] === company && path[2] === 'roles' && `company_${path[4]}` === key),
  );

/** Returns the faults of values that a form does not have, each with a link to the form that has it. */
export const faultsElsewhere = (
  faults: readonly DocumentFault[],
  entries: FormEntries,
  { site, draftId, values }: { readonly site: Site; readonly draftId: string | null; readonly values: DocumentValues },
): readonly Html[] =>
  faults
    .filter(({ path }) => nameOf(path, entries) === '')
    .map((fault) => lineWithLink(fault.path, inWords(fault.message), { site, draftId, values }));

/** Returns the name of the control of a value, or of the closest value around it; '' if the form has none. */
function nameOf(path: Path, entries: FormEntries): string {
  let name = path.join('.');
  const isShown = () => ['', '#', '@'].some((mark) => entries.has(name + mark));
  while (name !== '' && !isShown()) name = name.slice(0, Math.max(0, name.lastIndexOf('.')));
  return name;
}

/** Returns the form that has the field of a value, and the field's address; null if no form has it. */
export function fieldOf(path: Path, draftId: string | null) {
  const name = path.join('.');
  const field = fieldAt(name);
  const part = parts.find(({ paths }) => paths.some((one) => field !== undefined && isIn(field.path, one)));
  if (field === undefined || part === undefined) return null;
  const entry = part.isByEntry && path.length > 1 ? Number(path[1]) : null;
  return {
    part,
    label: labelOf(field.path).label,
    /** The position in the form: the index of the part's path, then the rank of the label. */
    rank: [part.paths.findIndex((one) => isIn(field.path, one)), rankOf(field.path)] as const,
    address: `${pathOf({ part, entry }, draftId)}#${name}`,
  };
}

const isIn = (path: string, outer: string): boolean => `${path}.`.startsWith(`${outer}.`);

/** Returns a message about a value after a link to its field, or after its path if no form has the field. */
export function lineWithLink(
  path: Path,
  message: string,
  { site, draftId, values }: { readonly site: Site; readonly draftId: string | null; readonly values: DocumentValues },
): Html {
  const field = fieldOf(path, draftId);
  if (field === null) return html`${toVisible(toFaultText({ path, message, line: null, column: null }))}`;
  const clauses = message.split(/(?<=[;,]) /);
  // A setting such as OWNER_EMAIL is for those who run the service, so it is in the details.
  const at = clauses.findIndex((clause, index) => index > 0 && /\b[A-Z]+_[A-Z]/.test(clause));
  const shown = at === -1 ? message : clauses.slice(0, at).join(' ').slice(0, -1);
  const ofSetting = at === -1 ? '' : inDetails(html`${toVisible(clauses.slice(at).join(' '))}`);
  return html`<a href="${site.path(field.address)}">${toVisible(toName(path, values))}</a>: ${toVisible(withLabels(shown))}${ofSetting}`;
}

/** Returns the name of a value in words, with the names of the entries around it. */
function toName(path: Path, values: DocumentValues): string {
  const name = nameInWords(path.join('.'), (entry) => {
    const value = valueAt(values, entry.split('.'));
    return typeof value === 'object' ? nameOfEntry({ ...value, id: null, url: null, role: null }) : null;
  });
  return /^[a-z]+ \d+[,:]/.test(name) ? capitalize(name) : name;
}

const words = new Map([
  ['is required', 'This is missing.'],
  ['must not be empty', 'This is empty.'],
  ['must not be blank; write "" if there is nothing to say', 'This has only spaces.'],
  [
    'must be a date: YYYY-MM-DD, YYYY-MM or YYYY',
    'This is not a date. Write one such as March 2018, 2018 or 2018-03-05.',
  ],
  ['must not be before start_date', 'This is before “From”. Enter a later date.'],
  ['must not be before company_start_date', 'This is before “There from”. Enter a later date.'],
  ['must be an http or https URL', 'Write an address that begins with https://'],
  ['must be a valid email address', 'Write an e-mail address such as name@example.org.'],
  ['must be a colour such as "#0b5d6b", in quotes', 'Write a colour such as #0b5d6b.'],
  ['must be in ASCII, all else percent-encoded', 'Open this page in a browser, and copy the address from there.'],
  ['is given twice', 'The file has this twice: remove one of them under “As YAML”.'],
  ['must be set, so that notices can reach you', 'Write an address: messages to you and requests for access go there.'],
  ['must be a string', 'The file has something else than a text here. Correct it under “As YAML”.'],
]);

/** Returns a message with the labels of fields in place of their keys. */
export const withLabels = (message: string): string =>
  message.replace(/\bcompany_(start|end)_date\b/g, (key) => `“${labelOf(`experience.${key}`).label}”`);

/** Returns a fault in one line, with the label of its field if a form has it. */
export function toFaultLine(fault: DocumentFault): string {
  const field = fieldAt(fault.path.join('.'));
  return field === undefined ? `${toFaultText(fault)}.` : `“${labelOf(field.path).label}”: ${inWords(fault.message)}`;
}

/** Returns a fault in words for a person who sees a form and not the file. */
const inWords = (message: string): string =>
  words.get(message) ?? `${message.charAt(0).toUpperCase()}${message.slice(1).replaceAll('_', ' ')}.`;
