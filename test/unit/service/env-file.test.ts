import assert from 'node:assert/strict';
import { test } from 'node:test';
import { envFileWarnings, environmentWarnings } from '../../../src/service/config/env-file.ts';

const settings = ['HOST', 'PORT', 'BASE_URL', 'DATABASE_URL', 'OWNER_EMAIL', 'SMTP_URL', 'MAIL_FROM', 'TOKEN_TTL'];
const warnedOf = (text: string) => envFileWarnings(text, settings);

test('a file of settings, comments and variables of other programs causes no warning', () => {
  const text = `
# PROT=1
HOST = 0.0.0.0
export PORT=8080 # PROT=1
  BASE_URL="https://profile.example.org" rest
OWNER_EMAIL='first
PROT=second
third'
TZ=UTC
NODE_EXTRA_CA_CERTS=/etc/ca.pem#1
SMTP_URL='smtp://mail#1'
CANDIDATE_PROFILE_TOKEN=token
`;
  assert.deepEqual(warnedOf(text), []);
  assert.deepEqual(warnedOf(text.replaceAll('\n', '\r\n')), []);
});

test('a misspelled setting causes a warning that suggests the most similar one', () => {
  assert.deepEqual(warnedOf('PROT=1\nhost=::\nBASEURL=x\nSMTP_HOST=x\nOWNER="x\ny"\n\nTOKEN_TLT=1'), [
    '.env:1: warning: PROT is not a setting; did you mean PORT?',
    '.env:2: warning: host is not a setting; did you mean HOST?',
    '.env:3: warning: BASEURL is not a setting; did you mean BASE_URL?',
    '.env:4: warning: SMTP_HOST is not a setting; did you mean SMTP_URL?',
    '.env:5: warning: OWNER is not a setting; did you mean OWNER_EMAIL?',
    '.env:8: warning: TOKEN_TLT is not a setting; did you mean TOKEN_TTL?',
  ]);
});

test('a line that sets nothing causes a warning that does not repeat it', () => {
  const malformed = [
    'PORT: 1',
    'SMTP_URL smtp://me:secret@mail',
    '- PORT=1',
    'set PORT=1',
    '=1',
    'export PORT',
    'A.B=1',
  ];
  assert.deepEqual(
    warnedOf(malformed.join('\n')),
    malformed.map((_, index) => `.env:${index + 1}: warning: is not NAME=VALUE, and is ignored`),
  );
  assert.deepEqual(warnedOf('PORT=1\nSMTP_URL="smtp://me:secret@mail\nHOST=::'), [
    '.env:2: warning: has a quote that is not closed',
  ]);
});

test('a value that ends before a sign that begins a comment causes a warning', () => {
  assert.deepEqual(warnedOf('PORT=1 # one#two\nSMTP_URL=smtp://me:pass#word@mail'), [
    '.env:2: warning: the value of SMTP_URL ends before its #, where a comment begins; put the value in quotes',
  ]);
});

test('an environment variable causes a warning only if it is long and one edit away from a setting', () => {
  assert.deepEqual(environmentWarnings(['PROT', 'HOSTS', 'SMTP_HOST', 'PATH', 'SMTP_URL'], settings), []);
  assert.deepEqual(environmentWarnings(['SMTP_ULR', 'OWNER_EMAIL_', 'MAIL_FRM'], settings), [
    'warning: the environment has SMTP_ULR, which is not a setting; did you mean SMTP_URL?',
    'warning: the environment has OWNER_EMAIL_, which is not a setting; did you mean OWNER_EMAIL?',
    'warning: the environment has MAIL_FRM, which is not a setting; did you mean MAIL_FROM?',
  ]);
});
