import { type Prose, toParagraphs } from 'resume-profile/prose';
import type { ResumeWords } from 'resume-profile/resume-language';

/**
 * A text, a remark in parentheses, and the target of a link, whose text is the address if it has no label. An author of the
 * kind `self` is the candidate. A link of the kind `doi` is shown even if a name has the same target.
 */
export interface Item extends Partial<Pick<Prose, 'paragraphs'>> {
  /** The text as written; `paragraphs` are the meaning of its marks, if any. */
  readonly text: string;
  readonly note?: string | undefined;
  readonly url?: string | undefined;
  readonly kind?:
    | 'company'
    | 'publisher'
    | 'availability'
    | 'self'
    | 'email'
    | 'phone'
    | 'live'
    | 'github'
    | 'details'
    | 'doi';
}

/** Texts in a row, after an optional label. A single text may have several paragraphs, each on a line. */
export interface Line {
  readonly key?: 'headline' | 'contacts' | 'links' | 'facts' | 'company' | 'score' | 'authors' | 'tags' | undefined;
  readonly label?: Item | undefined;
  readonly items: readonly Item[];
}

/** A text without marks, or a text that may have marks. */
export type Text = string | Pick<Item, 'text' | 'paragraphs'>;

export interface List {
  readonly bullets: readonly (string | Prose)[];
}

/** A section, an entry in it, or a role in an entry. */
export interface Part {
  /** The first is the heading. Empty if all names are empty. */
  readonly names: readonly Item[];
  readonly place?: string | undefined;
  /** A start, an end, or both, as written in the profile and as shown; `date` is null while the period is ongoing. */
  readonly dates: readonly { readonly date: string | null; readonly text: string }[];
  readonly blocks: readonly Block[];
  /** Whether its names are a label and a text on one line, such as `Float for a gauge: SE 999 999`. */
  readonly isLine?: true;
}

export type Block = Line | List | Part;

type Given = string | undefined | (Omit<Item, 'text'> & { readonly text: string | undefined });

/** An item as one text: `Swedish (native)`. */
export const worded = ({ text, note }: Item): string => (note === undefined ? text : `${text} (${note})`);

/** The items whose texts are not empty. */
export const items = (...texts: readonly Given[]): Item[] =>
  texts.flatMap((it) => {
    const { text, ...rest } = typeof it === 'object' ? it : { text: it };
    return text ? [{ text, ...rest }] : [];
  });

/** A line of the items whose texts are not empty; none if all are. */
export function line(texts: readonly Given[] = [], key?: Line['key'], label?: Item): Line[] {
  const some = items(...texts);
  return some.length === 0 ? [] : [{ key, label, items: some }];
}

export const links = (...urls: readonly (string | undefined)[]): Line[] =>
  line(
    urls.map((url) => ({
      text: url,
      url,
      ...(/^https?:\/\/(dx\.)?doi\.org\//.test(url ?? '') && { kind: 'doi' as const }),
    })),
    'links',
  );

/** A list of texts that can have marks. */
export const list = (bullets: readonly string[] = []): List[] =>
  bullets.length === 0 ? [] : [{ bullets: bullets.map((text) => withMarks(text, 1)) }];

/** A line of a text that can have marks; none if it is empty. */
export const prose = (text = '', key?: Line['key']): Line[] => line([withMarks(text)], key);

/** A text with the meaning of its marks, if any; `bulletsFrom` is the first line that can be a bullet. */
export function withMarks(text: string, bulletsFrom = 0): string | Prose {
  const paragraphs = toParagraphs(text, bulletsFrom);
  return paragraphs === undefined ? text : { text, paragraphs };
}

/** Dates in a language, without repeated texts. Null is the present; undefined is left out. */
export function toDates(
  { present, months, monthAndYear }: ResumeWords,
  ...dates: readonly (string | null | undefined)[]
): Part['dates'] {
  const toText = (date: string) => {
    const [year, month] = date.split('-');
    if (month === undefined) return date;
    return monthAndYear.replace('{month}', months[Number(month) - 1]!).replace('{year}', year!);
  };
  const shown = dates.flatMap((date) => (date === undefined ? [] : { date, text: date ? toText(date) : present }));
  return shown.filter(({ text }, index) => shown.findIndex((other) => other.text === text) === index);
}
