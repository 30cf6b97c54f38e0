import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { createProgram } from '../../../src/commands/command-line.ts';
import { databaseExample, examples } from '../../../src/commands/help.ts';
import type { Io } from '../../../src/commands/terminal.ts';
import { isFull } from '../../support/figures.ts';
import { newFolder, resumeFile } from '../../support/files.ts';
import { postJson } from '../../support/post-json.ts';
import { startPostgres } from '../../support/postgres.ts';
import { processName, programName, runCommand, startService } from '../../support/process.ts';
import { paste, pasteServing, shellEnv } from '../../support/shell.ts';
import { openSqliteFile } from '../../support/sqlite-file.ts';

/** The commands that do something, also if they have commands below them. */
const actionsOf = (command: Command, path: string[] = []): string[] => [
  ...(command.commands.length === 0 || command.registeredArguments.length > 0 ? [path.join(' ')] : []),
  ...command.commands.flatMap((child) => actionsOf(child, [...path, child.name()])),
];

test('every command has examples in its help, and the program the settings that matter', async (t) => {
  const commands = actionsOf(createProgram(process as unknown as Io)).filter((path) => !/^call |help$/.test(path));
  assert.deepEqual(commands.toSorted(), Object.keys(examples).toSorted());
  const { stdout } = await runCommand(t, ['check', '--help']);
  assert.ok(
    stdout.endsWith(`\nExamples:\n  ${programName} check\n  ${programName} check profile.yaml --json\n`),
    stdout,
  );
  const help = await runCommand(t, ['--help']);
  assert.match(help.stdout, /^ {2}BASE_URL {5}Public address, /m);
  assert.match(help.stdout, /^All settings: \/.+\/docs\/configuration\.md$/m);
});

test('each example works as printed', { skip: !isFull && 'in full only' }, async (t) => {
  const folder = newFolder(t);
  const server = await startPostgres(['fsync=off']);
  t.after(() => server.close());
  const database = await server.createDatabase();
  copyFileSync(resumeFile('jsonresume-senior-engineer.json'), join(folder, 'resume.json'));
  let address = 'http://127.0.0.1:3000';
  let env = shellEnv();
  const tried = new Set<string>();
  const run = async (...commands: string[]) => {
    for (const command of commands) {
      tried.add(command);
      const lines = examples[command]!.map((words) => `${processName} ${words}`);
      for (const line of lines)
        await paste(line.replace('http://127.0.0.1:3000', address).replace(databaseExample, database), folder, env);
    }
  };
  await run('init', 'letter new');
  writeFileSync(
    join(folder, 'acme.md'),
    '---\nto: Acme\nsubject: Storage\ndate: 2026-01-05\n---\n\nDear Ms Ash,\n\nI would like to build it.\n',
  );
  await run('letter');
  await Promise.all([run('check', 'import', 'openapi'), run('export', 'doctor')]);

  const service = await startService(t, {}, folder);
  address = service.url;
  const token = await service.token('ada@example.org');
  env = { ...env, CANDIDATE_PROFILE_TOKEN: token };
  const contact = { name: 'Ada', email: 'ada@example.org', company: 'Engines', message: 'Hello' };
  await fetch(`${address}/contact`, postJson(contact, { authorization: `Bearer ${token}` }));
  {
    using database = openSqliteFile(join(folder, 'data/candidate-profile.db'));
    database.exec("update contacts set id = 'contact_k3f9'; update profile_versions set id = 12");
    database.exec("update issued_tokens set jti = '9f3c' || substr(jti, 5)");
  }
  writeFileSync(join(folder, 'reply.txt'), 'Thank you.\n');
  await Promise.all([
    run('mcp', 'contacts list', 'contacts show', 'contacts export', 'backup'),
    run('tokens list', 'tokens clients', 'tokens view', 'outbox list', 'outbox retry', 'desk'),
    paste(`${processName} call get_candidate --url ${address}`, folder, env),
  ]);
  // The reply is read from standard input, which the first example leaves to the terminal.
  const [typed, fromFile] = examples['contacts reply']!;
  assert.equal(fromFile, `${typed} < reply.txt`);
  await paste(`${processName} ${fromFile}`, folder, { ...env, SMTP_URL: 'smtp://127.0.0.1:9' });
  tried.add('contacts reply');
  await run('share new', 'share list');
  {
    using database = openSqliteFile(join(folder, 'data/candidate-profile.db'));
    database.exec("update links set id = '9f3c5be01d77' where name like 'Acme%'");
  }
  await run('share rename', 'share end');
  await run('history list', 'history show', 'history restore', 'history erase');
  await run('contacts erase', 'tokens revoke', 'keys generate', 'keys rotate');
  service.stop();
  await service.exited();
  await run('restore', 'migrate-store');
  tried.add('serve');
  for (const words of examples.serve!)
    await pasteServing(`${processName} ${words.replace('8080', '0')}`, folder, shellEnv());
  assert.deepEqual([...tried].toSorted(), Object.keys(examples).toSorted());
});
