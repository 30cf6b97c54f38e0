import type { Draft, DraftEntry } from '../../draft/draft.ts';
import type { Block } from '../../source/blocks.ts';
import { periodsIn } from '../../source/dates.ts';
import { grouped } from '../../source/layout.ts';
import { exclude, type Value } from '../../source/value.ts';
import { isSpokenLanguage } from '../languages.ts';
import { fontOf, readText } from './entries.ts';
import { isLabel, labelReason } from './wording.ts';

const commas = /\s*[,;،、，·•|]\s+|[、，،]|\s+[·•|]\s*/;

/** The items of a list on one line, without commas within parentheses. */
function itemsIn(text: string): string[] {
  const items: string[] = [];
  for (const part of text.split(commas)) {
    const last = items.at(-1);
    const isOpen = last !== undefined && last.split('(').length > last.split(')').length;
    if (isOpen) items.splice(-1, 1, `${last}, ${part}`);
    else items.push(part);
  }
  return items.map((item) => item.replace(/[.;,]$/, '').trim()).filter((item) => item !== '');
}

/** Reads skills: groups with a label, a line above, or none. Sentences are not skills. */
export function toSkills(blocks: readonly Block[]) {
  const groups: NonNullable<Draft['skillGroups']>[number][] = [];
  const others: DraftEntry[] = [];
  let name: Value | undefined;
  for (const block of blocks) {
    const [first, ...beside] = block.cells.map(({ text }) => text) as [string, ...string[]];
    const [, label, rest] =
      /^([^:]{2,50}):\s*(\S.*)$/s.exec(block.text) ??
      (beside.length > 0 && block.cells[0]!.spans[0]!.isBold ? ['', first, beside.join(', ')] : []);
    if (label !== undefined && rest !== undefined) {
      groups.push({ name: readText(block, label), skills: valuesOf(block, itemsIn(rest)) });
      continue;
    }
    const items = block.cells.flatMap(({ text }) => itemsIn(text));
    if (items.some((item) => item.split(/\s+/).length > 7)) {
      others.push({ bullet: readText(block) });
      continue;
    }
    // A line in bold above a list is its name.
    if (items.length === 1 && block.style.isBold && !block.isBullet) {
      name = readText(block);
      groups.push({ name, skills: [] });
      continue;
    }
    const skills = valuesOf(block, items);
    const last = groups.at(-1);
    if (last && last.name === name) groups.splice(-1, 1, { ...last, skills: [...last.skills, ...skills] });
    else groups.push({ ...(name && { name }), skills });
  }
  return { groups, others };
}

const valuesOf = (block: Block, items: readonly string[]): Value[] => items.map((item) => readText(block, item));

/** Reads languages with their fluency; a text that names no language is in `others`. */
export function toLanguages(blocks: readonly Block[]) {
  const languages: NonNullable<Draft['languages']>[number][] = [];
  const others: DraftEntry[] = [];
  for (const block of blocks) {
    const parts = block.cells.map(({ text }) => text).flatMap(itemsIn);
    for (const part of parts) {
      const [, name, fluency] = /^(.+?)\s*(?:[:–—(-]|\s-)\s*([^()]+)\)?$/.exec(part) ?? ['', part];
      const [, first, rest] = /^(\p{L}+)\s+(.+)$/u.exec(part) ?? [];
      const named = isSpokenLanguage(name!)
        ? [name!, fluency]
        : first && isSpokenLanguage(first)
          ? [first, rest]
          : null;
      const last = languages.at(-1);
      if (named) {
        const [language, level] = [readText(block, named[0]!), named[1]];
        languages.push({ language, ...(level && { fluency: readText(block, level) }) });
      }
      // The fluency may be beside the language or below it.
      else if (last && !last.fluency && part.length < 60)
        languages.splice(-1, 1, { ...last, fluency: readText(block, part.replace(/^\((.*)\)$/, '$1')) });
      else others.push({ bullet: readText(block, part) });
    }
  }
  return { languages, others };
}

/** A line that is a whole entry, such as an award, with the date at its edge. */
export function toDatedLine(block: Block): { name: Value | undefined; date: Value | undefined } {
  const { text } = block;
  const found = periodsIn(text).findLast(
    ({ index, text: period, isRange }) =>
      !isRange && (/^[\s)\].,]*$/.test(text.slice(index + period.length)) || /^[\s([]*$/.test(text.slice(0, index))),
  );
  if (!found) return { name: readText(block, text), date: undefined };
  const name = `${text.slice(0, found.index)} ${text.slice(found.index + found.text.length)}`
    .replace(/[([]\s*[)\]]/, '')
    .replace(/^[\s,;:|·–—-]+|[\s,;:|·–—-]+$/g, '')
    .replace(/\s+/g, ' ');
  return { name: name ? readText(block, name) : undefined, date: readText(block, found.text) };
}

/** The lines of a section as they are: paragraphs and bullets. A line that is only a label is left out. */
export function toFreeLines(blocks: readonly Block[]): DraftEntry[] {
  return blocks.flatMap((block) => {
    const value = readText(block);
    if (isLabel(block.text)) return exclude(value, labelReason) ?? [];
    return block.isBullet ? { bullet: value } : { text: value };
  });
}

/** The entries of a section without dates: a line in the style of the first one begins each. */
export function toGroups(blocks: readonly Block[]) {
  const [first] = blocks;
  const isHead = (block: Block) => !block.isBullet && !block.isLong && fontOf(block) === fontOf(first!);
  const isApart = first && isHead(first) && blocks.some((block) => block.isBullet || fontOf(block) !== fontOf(first));
  return grouped(blocks, (_, block) => isApart === true && !isHead(block));
}
