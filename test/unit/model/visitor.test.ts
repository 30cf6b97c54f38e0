import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toEmailAddress } from 'resume-profile/email-address';
import type { DurableStore } from '../../../src/adapters/store/store.ts';
import {
  byAddress,
  isSameVisitor,
  readVisitor,
  toVisitorText,
  type Visitor,
  visitorKeyOf,
} from '../../../src/model/visitor.ts';
import type { State } from '../../../src/service/state.ts';
import { randomOf } from '../../support/random.ts';

const link = { kind: 'link', id: 'fp4A-_9k' } as const;

test('a visitor is stored as the address that they typed, or as the link that they opened', () => {
  const ada = byAddress('Ada@Example.ORG');
  assert.deepEqual([toVisitorText(ada), visitorKeyOf(ada)], ['Ada@Example.ORG', 'ada@example.org']);
  assert.deepEqual([toVisitorText(link), visitorKeyOf(link)], ['link:fp4A-_9k', 'link:fp4A-_9k']);
  for (const visitor of [ada, link]) assert.deepEqual(readVisitor(toVisitorText(visitor)), visitor);
});

test('all spellings of an address are one visitor; links whose ids differ in case are two', () => {
  assert.equal(isSameVisitor(byAddress('Ada@Example.ORG'), byAddress('ada@example.org')), true);
  assert.equal(isSameVisitor(byAddress('ada@example.org'), byAddress('bob@example.org')), false);
  assert.equal(isSameVisitor(link, { ...link }), true);
  assert.equal(isSameVisitor(link, { kind: 'link', id: 'FP4A-_9K' }), false);
});

test('no address that somebody can type is taken for a link, in any spelling', () => {
  const { pick, below } = randomOf(1);
  const parts = [
    'link',
    'LINK',
    'lin\u212a',
    ':',
    '\uff1a',
    '\ua789',
    '"',
    '\\',
    '@',
    '.',
    '+',
    '-',
    '_',
    'fp4A',
    'é',
    ' ',
  ];
  const domains = ['example.org', 'LINK.example', 'bu\u0308cher.de', 'xn--bcher-kva.de', '例子。测试'];
  const random = () => Array.from({ length: 1 + below(6) }, () => pick(parts)).join('');
  let accepted = 0;
  for (let n = 0; n < 20_000; n += 1) {
    const local = pick([random(), `link${random()}`, `"link:${random()}"`, `link:${random()}`]);
    const typed = toEmailAddress(pick([local, `${local}@${pick(domains)}`]));
    if (typed === null) continue;
    accepted += 1;
    const visitor = byAddress(typed);
    assert.deepEqual(readVisitor(toVisitorText(visitor)), visitor);
    assert.equal(readVisitor(visitorKeyOf(visitor)).kind, 'address', typed);
    assert.doesNotMatch(toVisitorText(visitor) + visitorKeyOf(visitor), /^link:/);
  }
  assert.ok(accepted > 2_000, `${accepted}`);
});

test('a text that only begins as a link does is an address, as every text was before there were links', () => {
  for (const text of ['link:', 'link:a@example.org', 'link:a b', 'link:a\n', ' link:a', 'Link:a', 'link', ''])
    assert.deepEqual(readVisitor(text), byAddress(text));
});

/**
 * Never called: the compiler refuses to pass a text for a visitor, and an address for the key of one. Each call that it
 * accepts shows that nothing else is wrong with the one that it refuses.
 */
export function checkedByTheCompiler(store: DurableStore, tokens: State['tokens'], visitor: Visitor, text: string) {
  const [key, now] = [visitorKeyOf(visitor), new Date()];
  return [
    tokens.prepare(visitor),
    // @ts-expect-error
    tokens.prepare(text),
    tokens.subjectHashes(visitor),
    // @ts-expect-error
    tokens.subjectHashes(text),
    tokens.revoke({ kind: 'subject', subject: visitor }),
    // @ts-expect-error
    tokens.revoke({ kind: 'subject', subject: text }),
    store.visitors.erase(visitor),
    // @ts-expect-error
    store.visitors.erase(text),
    store.contacts.list(visitor),
    // @ts-expect-error
    store.contacts.list(text),
    store.tokens.listOf([key]),
    // @ts-expect-error
    store.tokens.listOf([text]),
    store.oauth.grants.listUnexpired(now, { canonical_subject: key }),
    // @ts-expect-error
    store.oauth.grants.listUnexpired(now, { canonical_subject: text }),
    store.readers.eventsOf([key], now, 1),
    // @ts-expect-error
    store.readers.eventsOf([text], now, 1),
    store.readers.note(key, 'note', now),
    // @ts-expect-error
    store.readers.note(toVisitorText(visitor), 'note', now),
  ];
}
