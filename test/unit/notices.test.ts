import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authRequestNotice, letterOf } from '../../src/operations/notices.ts';

const noticeOf = (subject: string) => {
  const at = new Date('2026-11-21T12:00:00.000Z');
  return authRequestNotice({ jti: `token-${subject}`, subject, issuedAt: at, expiresAt: at }, '192.0.2.1');
};

test('the owner is told that nobody has verified the address of a visitor who asked for access', () => {
  const { text } = letterOf([noticeOf('ada@example.org')]);
  assert.match(text, /^The address was typed in by the visitor and has not been verified\.$/m);
});

test('a digest says so of all addresses in it', () => {
  const { text } = letterOf([noticeOf('ada@example.org'), noticeOf('bob@example.org')]);
  assert.match(text, /^Asked for access, with addresses that were typed in and have not been verified:$/m);
});
