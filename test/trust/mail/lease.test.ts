import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fixture } from '../../support/files.ts';
import { eventually, startProcess } from '../../support/process.ts';
import { messageIdOf, openFaultySmtp } from './faulty-smtp.ts';

test('a mail that a killed process was sending is sent again at most 20 s later, under the same Message-ID [TRUST-31]', async (t) => {
  const smtp = await openFaultySmtp(t);
  const offered: string[] = [];
  // Accepts each message but sends no reply, so that the process is killed before it knows.
  await smtp.break({ at: 'acknowledgement', does: () => void offered.push(messageIdOf(smtp.received[0]!.source)) });
  const env = { PROFILE: fixture('profile.yaml'), SMTP_URL: `smtp://me:secret@127.0.0.1:${smtp.port}` };
  const killed = await startProcess(t, env);
  await killed.token();
  await eventually(() => offered.length === 1);
  killed.kill('SIGKILL');
  const from = performance.now();
  await killed.exited();
  await smtp.mend();
  await startProcess(t, env, killed.folder);

  while (smtp.received.length < 2 && performance.now() - from < 20_000) await pause(50);
  assert.deepEqual(
    smtp.received.map(({ source }) => messageIdOf(source)),
    [offered[0], offered[0]],
  );
});
