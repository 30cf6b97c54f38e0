import assert from 'node:assert/strict';
import { test } from 'node:test';
import { offeredIn } from '../../../src/operations/operation.ts';
import { actsOf, toList } from '../../../src/surfaces/web/visit-words.ts';
import { edition, known } from '../../support/mcp-service.ts';

const namesIn = (listed: readonly { readonly name: string }[]) => listed.map(({ name }) => name);
const read = (operation: string, count = 1, item: string | null = null) => ({ operation, item, count });
const wordsOf = (...reads: ReturnType<typeof read>[]) =>
  toList(actsOf(reads, namesIn(offeredIn(known, edition.profile))));

test('what was read is said in words, most first, lists and entries together', () => {
  assert.equal(wordsOf(read('list_projects')), 'read projects');
  assert.equal(wordsOf(read('list_projects', 2)), 'read projects twice');
  assert.equal(
    wordsOf(read('list_projects'), read('list_experience', 10), read('get_experience', 4, 'acme')),
    'read experience 14 times and projects',
  );
  assert.equal(wordsOf(read('get_candidate'), read('get_availability')), 'read summary and availability');
});

const all = ['get_candidate', 'list_experience', 'list_projects', 'get_availability', 'get_resume'];

test('who has read all there is has read everything', () => {
  assert.equal(wordsOf(...all.map((operation) => read(operation, 3))), 'read everything');
  assert.equal(
    wordsOf(...all.slice(1).map((operation) => read(operation))),
    'read experience, projects, availability and resume',
  );
});

test('what only some profiles offer belongs to everything if this one does, a search does not', () => {
  const base = all.map((operation) => read(operation));
  const sentenceOf = (...reads: ReturnType<typeof read>[]) => toList(actsOf(reads, namesIn(known)));
  assert.equal(sentenceOf(...base), 'read summary, experience, projects, availability and resume');
  assert.equal(sentenceOf(...base, read('get_background')), 'read everything');
  assert.equal(wordsOf(...base, read('get_background')), 'read everything');
  assert.equal(
    sentenceOf(...base, read('get_background'), read('find_evidence')),
    'read everything and asked for evidence',
  );
});

test('what is done on the page is said in its words, with how often, and a message, too', () => {
  assert.equal(wordsOf(read('page')), 'opened the page');
  assert.equal(
    wordsOf(read('pdf', 2), read('page'), read('message', 1, 'contact_1'), read('page', 2), read('list_projects')),
    'opened the page 3 times, read projects, downloaded the PDF twice and wrote',
  );
  assert.equal(
    wordsOf(read('docx', 2, 'docx'), read('pdf', 1, 'pdf')),
    'downloaded the PDF and downloaded the document of Word twice',
  );
  assert.equal(
    wordsOf(read('page'), read('markdown', 2), read('list_projects')),
    'opened the page, read the profile as Markdown twice and read projects',
  );
});

test('a search is said by what was asked for', () => {
  assert.equal(wordsOf(read('find_evidence')), 'asked for evidence');
  assert.equal(
    wordsOf(read('find_evidence', 2), read('list_projects'), read('pdf')),
    'read projects, asked for evidence twice and downloaded the PDF',
  );
});

test('asking for the PDF is not reading: a signed link is the same for everybody', () => {
  assert.equal(wordsOf(read('get_resume', 2, 'pdf')), 'asked for the PDF');
  assert.equal(wordsOf(read('get_resume'), read('get_resume', 1, 'pdf')), 'read resume and asked for the PDF');
  assert.equal(wordsOf(read('get_project', 1, 'pdf')), 'read projects');
});

test('for nothing read there are no words, and an operation of another version by its name', () => {
  assert.equal(wordsOf(), '');
  assert.equal(wordsOf(read('list_awards')), 'read list_awards');
});
