import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { startSender } from '../../../src/adapters/mail/sender.ts';
import { byAddress } from '../../../src/model/visitor.ts';
import { toEmail } from '../../../src/operations/digest.ts';
import { eventually } from '../../support/process.ts';
import { noon, notice, openTestStore, token } from '../../support/store.ts';
import { open } from './mail-setup.ts';

test('the file of a mail that is written while its visitor is erased is removed, and those of others are not', async (t) => {
  const { store } = await openTestStore(t);
  const { mailer, directory } = open(t);
  const add = (jti: string, subject: string) =>
    store.tokens.add({ ...token, jti, subject: byAddress(subject) }, { ...notice, kind: 'auth_request', about: jti });
  await add('j1', 'ada@example.org');
  await add('j2', 'bob@example.org');
  let written = 0;
  const outbox = startSender({
    store,
    mailer: {
      ...mailer,
      async send(message, signal) {
        await mailer.send(message, signal);
        written += 1;
        if (written === 1) assert.equal((await store.visitors.erase(byAddress('ada@example.org'))).tokens, 1);
      },
    },
    toEmail: (notices) =>
      toEmail(notices, {
        baseUrl: 'https://profile.example',
        candidateName: 'Lena Vasquez',
        readerIdOf: (address) => `of-${address}`,
      }),
    to: () => 'owner@example.org',
    audit: () => {},
    now: () => noon,
    log: { info() {}, warn() {}, error() {} },
  });
  t.after(outbox.stop);
  await eventually(() => written === 2 && existsSync(directory) && readdirSync(directory).length === 1);
});
