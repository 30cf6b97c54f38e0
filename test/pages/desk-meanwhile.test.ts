import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { applyEdit } from 'resume-profile/yaml/edit';
import { arranged } from '../../src/surfaces/web/desk/editor/arrangement.ts';
import { readValues } from '../../src/surfaces/web/desk/editor/document-values.ts';
import { fieldAt } from '../../src/surfaces/web/desk/editor/fields.ts';
import { countAt, type FormEntries } from '../../src/surfaces/web/desk/editor/form-entries.ts';
import { mergedWith } from '../../src/surfaces/web/desk/editor/meanwhile.ts';
import { type Place, toFormEntries, withPart } from '../../src/surfaces/web/desk/editor/part-values.ts';
import { parts } from '../../src/surfaces/web/desk/editor/parts.ts';
import { openEditor } from '../support/editor-form.ts';
import { scaled } from '../support/figures.ts';
import { type Random, randomOf } from '../support/random.ts';

const sample = readFileSync('examples/every-section.yaml', 'utf8');
const valuesOf = (text: string) => readValues(text) ?? assert.fail('not readable');
const placeOf = (name: string, entry: number | null = null): Place => ({
  part: parts.find((part) => part.name === name)!,
  entry,
});

/** A form that was opened on a text, and is published into another one. */
function openForm(place: Place, text: string) {
  const values = valuesOf(text);
  let entries = toFormEntries(place, values);
  return {
    entries: () => entries,
    type(name: string, typed: string) {
      entries = new Map([...entries, [name, [typed]]]);
    },
    arrange(kind: 'add' | 'remove' | 'up' | 'down', name: string) {
      entries = arranged(entries, { kind, name });
    },
    /** Returns the text with the form, as it is after the first publish was refused, and what was told. */
    publish(now: string) {
      const { notice, ...merged } = mergedWith(valuesOf(now), { place, entries, values });
      const value = withPart(merged.place, merged.entries, valuesOf(now));
      return { text: applyEdit(now, { kind: 'set', path: [], value }), notice: String(notice) };
    },
  };
}

const publishAlone = (form: ReturnType<typeof openForm>, text: string) => form.publish(text).text;

test('an entry that was added in the file meanwhile stays, and one that was removed here goes', () => {
  const education = placeOf('education');
  const [there, here] = [openForm(education, sample), openForm(education, sample)];
  there.arrange('add', 'resume.education');
  const count = countAt(there.entries(), 'resume.education');
  there.type(`resume.education.${count - 1}.institution`, 'School of Arts');
  for (let at = count - 1; at > 0; at -= 1) there.arrange('up', `resume.education.${at}`);
  const now = publishAlone(there, sample);
  const first = here.entries().get('resume.education.0.institution')![0]!;
  here.arrange('remove', 'resume.education.0');
  here.type('resume.education.0.institution', 'College of Music');
  const { text, notice } = here.publish(now);
  const names = (valuesOf(text).resume as { education: { institution: string }[] }).education.map(
    ({ institution }) => institution,
  );
  assert.deepEqual(names, ['School of Arts', 'College of Music', ...names.slice(2)]);
  assert.ok(!names.includes(first));
  assert.equal(names.length, count - 1);
  assert.match(notice, /Changed there in this form: Education <em><bdi>School of Arts<\/bdi><\/em> added\./);
});

/** The ids of the companies of a text that have a name. */
const idsOf = (company: string, text: string) =>
  (valuesOf(text).experience as { id: string; company: string }[]).flatMap((one) =>
    one.company === company ? [one.id] : [],
  );

test('a company that was added there and here with the same id is two', () => {
  const work = placeOf('experience');
  const add = (company: string) => {
    const form = openForm(work, sample);
    form.arrange('add', 'experience');
    form.type(`experience.${countAt(form.entries(), 'experience') - 1}.company`, company);
    return form;
  };
  const [there, here] = [add('Acme'), add('Acme')];
  here.type(`experience.${countAt(here.entries(), 'experience') - 1}.location`, 'Here');
  const { text } = here.publish(publishAlone(there, sample));
  assert.deepEqual(idsOf('Acme', text).toSorted(), ['exp_acme', 'exp_acme_2']);
});

for (const [history, env, status] of [
  ['with a history', {}, 409],
  ['without a history', { KEEP_HISTORY: '0' }, 303],
] as const)
  test(`the form of a new company that is sent twice adds it once, also after it was refused, ${history}`, async (t) => {
    const { page, send, now, file } = await openEditor(t, undefined, env);
    const typed = { 'experience.3.company': 'Acme', 'experience.3.roles.0.title': 'Engineer', 'experience.3.roles.0.start_date': '2009', 'experience.3.roles.0.end_date': '2011-03' }; // biome-ignore format: one line
    const shown = await page('/desk/profile/edit/experience/3');
    writeFileSync(file, `${now()}# by hand\n`);
    const refused = await send(shown, 'publish', typed);
    assert.equal(refused.status, 409);
    const isUnknown = /What was changed is not known, because no history is kept\./.test(refused.text);
    assert.equal(isUnknown, status === 303);
    for (const _ of ['once', 'again'])
      assert.equal((await send(refused.text, 'publish')).to, '/desk/profile/edit/experience/3?done=published#done');
    assert.deepEqual(idsOf('Acme', now()), ['exp_acme']);

    writeFileSync(file, `${now()}# once more\n`);
    const again = await send(refused.text, 'publish');
    assert.equal(again.status, status);
    if (status === 409)
      assert.equal((await send(again.text, 'publish')).to, '/desk/profile/edit/experience/3?done=same#done');
    assert.deepEqual(idsOf('Acme', now()), ['exp_acme']);
  });

test('entries that were moved here keep their order when one was added there, and the other way round', () => {
  const education = placeOf('education');
  const list = 'resume.education';
  const namesIn = (text: string) =>
    (valuesOf(text).resume as { education: { institution: string }[] }).education.map(({ institution }) => institution);
  const [first, second, ...others] = namesIn(sample);
  const [moved, added] = [openForm(education, sample), openForm(education, sample)];
  moved.arrange('up', `${list}.1`);
  const count = countAt(added.entries(), list);
  added.arrange('add', list);
  added.type(`${list}.${count}.institution`, 'School of Arts');
  // It comes after the entry that it followed.
  const expected = [second, 'School of Arts', first, ...others];
  assert.deepEqual(namesIn(moved.publish(publishAlone(added, sample)).text), expected);
  assert.deepEqual(namesIn(added.publish(publishAlone(moved, sample)).text), expected);
});

test('of three browsers that publish at once one does, and the others after they were told', async (t) => {
  const { page, send, now } = await openEditor(t);
  const edit = '/desk/profile/edit';
  const changes = { summary: ['candidate.summary', 'Mine.'], contact: ['candidate.name', 'Ada'], 'experience/0': ['experience.0.company', 'Acme'] } as const; // biome-ignore format: one line
  const shown = await Promise.all(Object.keys(changes).map((form) => page(`${edit}/${form}`)));
  const typed = Object.values(changes).map(([name, text]) => ({ [name]: text }));
  let sent = await Promise.all(shown.map((form, index) => send(form, 'publish', typed[index])));
  assert.deepEqual(sent.map(({ status }) => status).toSorted(), [303, 409, 409]);
  for (const left of [1, 0]) {
    const again = await Promise.all(
      sent.flatMap(({ status, text }) => (status === 409 ? [send(text, 'publish')] : [])),
    );
    assert.equal(again.filter(({ status }) => status === 409).length, left);
    sent = again;
  }
  for (const [, text] of Object.values(changes)) assert.ok(now().includes(`: ${text}`), text);
});

const rounds = scaled(5_000, 40);

test(`of ${rounds} pairs of random edits in two browsers each is in the result, or told if both changed the same`, () => {
  const first = Number(process.env.SEED ?? 1);
  for (let seed = first; seed < first + rounds; seed += 1) {
    const random = randomOf(seed);
    const part = random.pick(parts.filter(({ name }) => name !== 'order'));
    const place = { part, entry: part.isByEntry && random.isOneIn(2) ? random.below(2) : null };
    const [there, here] = [edited(random, place, 'There'), edited(random, place, 'Here')];
    const { text, notice } = here.form.publish(publishAlone(there.form, sample));
    const about = `seed ${seed}, ${part.name}: ${JSON.stringify([there.log, here.log])}`;
    const values = JSON.stringify(valuesOf(text));
    for (const token of tokensIn(here.form)) assert.ok(values.includes(token), `${about}: ${token} is lost`);
    const [theirs, mine] = [there, here].map(({ log }) => log.map(({ kind }) => kind)) as [string[], string[]];
    const isSame = here.log.some(({ name }) => there.log.some((other) => other.name === name));
    const mayBeSame =
      mine.includes('remove') || (mine.includes('type') && (isSame || /up|down|remove/.test(`${theirs} ${mine}`)));
    for (const token of tokensIn(there.form))
      assert.ok(values.includes(token) || (mayBeSame && notice.includes(token)), `${about}: ${token} is lost unseen`);
    const ids = values.match(/"id":"[^"]+"/g) ?? [];
    assert.deepEqual(ids, [...new Set(ids)], about);
    assert.equal(publishAlone(openForm({ part, entry: null }, text), text), text, about);
  }
});

/** Opens a form, and once or twice changes a field, or adds, moves or removes an entry. */
function edited(random: Random, place: Place, who: string) {
  const form = openForm(place, sample);
  const log: { kind: string; name: string }[] = [];
  for (let edits = 1 + random.below(2); edits > 0; edits -= 1) {
    const names = [...form.entries().keys()];
    const lists = names.filter((name) => name.endsWith('#')).map((name) => name.slice(0, -1));
    const list = lists.length === 0 || random.isOneIn(2) ? null : random.pick(lists);
    const count = list === null ? 0 : countAt(form.entries(), list);
    const kind = list === null ? 'type' : random.pick(['add', 'remove', 'up', 'down'] as const);
    const texts = names.filter((name) => isText(name, form.entries()));
    const name =
      kind === 'add'
        ? newTextIn(`${list}.${count}`)
        : kind === 'type'
          ? texts.at(random.below(texts.length))
          : `${list}.${random.below(count)}`;
    if (name === undefined || (count === 0 && /remove|up|down/.test(kind))) continue;
    if (kind !== 'type') form.arrange(kind, kind === 'add' ? list! : name);
    if (kind === 'add' || kind === 'type') form.type(name, `${who}${edits}X`);
    log.push({ kind, name });
  }
  return { form, log };
}

const tokensIn = ({ entries }: ReturnType<typeof openForm>) =>
  [...entries().values()].flatMap(([typed = '']) => typed.match(/(?:There|Here)\dX/g) ?? []);

/** Whether a control takes any text. */
function isText(name: string, entries: FormEntries): boolean {
  const list = name.slice(0, name.lastIndexOf('.'));
  if (/[#@~]$|(^|\.)(id|url|order)$/.test(name)) return false;
  return fieldAt(name)?.kind === 'text' || (fieldAt(list)?.kind === 'texts' && entries.has(`${list}#`));
}

/** The first control of a new entry that takes any text. */
function newTextIn(entry: string): string | undefined {
  const field = fieldAt(entry);
  if (field === undefined || !('fields' in field)) return entry;
  const key = field.fields.find((one) => one.kind === 'text' && one.key !== 'id')?.key;
  return key && `${entry}.${key}`;
}
