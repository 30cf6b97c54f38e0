import type { ResumeWords } from '../../model/profile/resume-language.ts';
import { given } from '../given.ts';
import { type Block, type Paragraph, type Part, paragraph, type Text } from './part.ts';

/** How names, lists and dates are written in a language. */
export interface Wording {
  /** The separator of a list on one line. */
  readonly comma: string;
  /** The first of some names as a heading, then the others and a place. */
  part(names: readonly Text[], place: Text, dates: string, ...blocks: readonly Block[][]): Part;
  listed(texts: readonly string[]): Paragraph[];
  /** Dates, which may be as coarse as a year, as `Feb 2020 – present`. Null is the present; undefined is left out. */
  dates(...dates: (string | null | undefined)[]): string;
}

export function wordingIn({ comma, present, months, monthAndYear }: ResumeWords): Wording {
  const toText = (date: string) => {
    const [year, month] = date.split('-');
    if (month === undefined) return date;
    return monthAndYear.replace('{month}', months[Number(month) - 1]!).replace('{year}', year!);
  };
  return {
    comma,
    part(names, place, dates, ...blocks) {
      const [heading, ...others] = given(...names);
      const beside = others.map((name) => comma + name).join('');
      if (heading === undefined) return { heading: place ?? '', beside: '', dates, blocks: blocks.flat() };
      return { heading, beside: [beside, ...given(place)].join(' · '), dates, blocks: blocks.flat() };
    },
    listed: (texts) => paragraph(texts, comma),
    dates(...dates) {
      const texts = dates.flatMap((date) => (date === undefined ? [] : [date === null ? present : toText(date)]));
      return [...new Set(texts)].join(' – ');
    },
  };
}
