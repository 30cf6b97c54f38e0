import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { newFolder } from '../../support/files.ts';

interface TraceEvent {
  readonly ph: string;
  readonly name: string;
  readonly ts: number;
  readonly args: { readonly path?: string; readonly new_path?: string };
}

test('a mail file survives a power cut: the file is fsynced, then renamed, then its folder is fsynced and, if that is new, the parent [TRUST-31]', async (t) => {
  const folder = newFolder(t);
  const trace = join(folder, 'trace.json');
  const program = `
    import { openMailer } from ${JSON.stringify(import.meta.resolve('../../../src/adapters/mail/mailer.ts'))};
    const mailer = openMailer({ baseUrl: 'http://x', directory: ${JSON.stringify(join(folder, 'mail'))}, log: { info() {} } });
    const createdAt = new Date('2026-11-21T12:00:00.000Z');
    const letter = { subject: 'Hello', text: 'Hello', replyTo: null };
    await mailer.send({ ...letter, id: '7f6d', to: 'owner@example.org', createdAt }, new AbortController().signal);
  `;
  const tracing = ['--trace-event-categories', 'node.fs.async,node.fs.sync', '--trace-event-file-pattern', trace];
  const options = [...tracing, '--input-type=module', '-e', program];
  const [code] = await once(spawn(process.execPath, options, { stdio: ['ignore', 'ignore', 'inherit'] }), 'exit');
  assert.equal(code, 0);

  const { traceEvents } = JSON.parse(readFileSync(trace, 'utf8')) as { traceEvents: TraceEvent[] };
  const steps = traceEvents
    .filter(({ ph, name }) => ph.toLowerCase() === 'b' && ['open', 'fsync', 'fs.sync.rename'].includes(name))
    .sort((one, other) => one.ts - other.ts)
    .map(({ name, args }) => [name, basename(args.path ?? args.new_path ?? '')].join(' ').trim());
  assert.deepEqual(steps.slice(steps.indexOf('open 20261121T120000.000Z-7f6d.eml.part')), [
    'open 20261121T120000.000Z-7f6d.eml.part',
    'fsync',
    'fs.sync.rename',
    'open mail',
    'fsync',
    `open ${basename(folder)}`,
    'fsync',
  ]);
});
