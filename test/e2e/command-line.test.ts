import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fixture, newFolder } from '../support/files.ts';
import { processName, programName, runCommand, runProcess, startService } from '../support/process.ts';

const PROFILE = fixture('profile.yaml');

suite('The command line', { concurrency: 2 }, () => {
  test('every command has a help, as an option and by the command help', async (t) => {
    const commands = [
      ...['', 'serve', 'mcp', 'check', 'openapi', 'call', 'call get_candidate', 'contacts show', 'tokens revoke'],
      ...['keys rotate', 'backup', 'restore', 'doctor'],
    ];
    for (const [args, command] of [
      ...commands.map((command) => [`${command} --help`, command]),
      ...['', 'check', 'contacts', 'contacts list'].map((command) => [`help ${command}`, command]),
      ['contacts help list', 'contacts list'],
    ] as [string, string][]) {
      const { code, stdout, stderr } = await runCommand(t, args.split(' ').filter(Boolean));
      assert.ok(stdout.startsWith(`Usage: ${programName} ${command}`), stdout);
      assert.deepEqual([code, stderr], [0, ''], args);
    }
  });

  test('compiled code is kept in node_modules, not in the temporary folder, where other users can write', async (t) => {
    const TMPDIR = newFolder(t);
    const script = `import { getCompileCacheDir } from 'node:module'; process.on('exit', () => console.error(getCompileCacheDir()));`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(script)}`;
    const { stderr } = await runProcess(t, ['--version'], { TMPDIR, NODE_OPTIONS, NODE_COMPILE_CACHE: '' });
    const cache = fileURLToPath(new URL('../../node_modules/.cache/candidate-profile/', import.meta.url));
    assert.equal(stderr.trim().startsWith(cache), true, stderr);
    assert.deepEqual(readdirSync(TMPDIR), []);
  });

  test('wrong usage ends with exit code 2 and a line on stderr, which names what was meant', async (t) => {
    for (const [args, line] of [
      ['dance', "unknown command 'dance'"],
      ['serve --verbose', "unknown option '--verbose'"],
      ['call dance', "unknown command 'dance'"],
      ['call get_candidate --fast', "unknown option '--fast'"],
      ['contacts list --email ada', '--email must be a valid email address'],
      ['contacts show', "missing required argument 'id'"],
      ['contacts erase', 'give one of --email and --link'],
      ['tokens revoke --jti a --all', 'give one of --jti, --grant, --email and --all'],
      ['share new A --for 60', '--for must be a duration such as 60d or 12h, or never'],
      ['backup', "missing required argument 'file'"],
      // An unknown command is named with the nearest known one.
      ['chekc', "unknown command 'chekc'\n(Did you mean check?)"],
      ['help chekc', "unknown command 'chekc'\n(Did you mean check?)"],
      ['help dance', "unknown command 'dance'"],
      ['contacts lst', "unknown command 'lst'\n(Did you mean list?)"],
      ['help contacts lst', "unknown command 'lst'\n(Did you mean list?)"],
      ['contacts help lst', "unknown command 'lst'\n(Did you mean list?)"],
      ['help call get_candidat', "unknown command 'get_candidat'\n(Did you mean get_candidate?)"],
    ] as const) {
      const { code, stdout, stderr } = await runCommand(t, args.split(' '));
      assert.equal(stderr, `candidate-profile: ${line}\n`);
      assert.deepEqual([code, stdout], [2, ''], args);
    }
  });

  test('what another service answers, or what was typed, controls no terminal', async (t) => {
    const hostile = 'wipe\u001b[2J\u009b1m';
    const server = createServer((_, response) => {
      response.writeHead(503, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { code: 'UNAVAILABLE', message: hostile } }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    for (const [args, line] of [
      [['call', 'get_candidate', '--url', `http://127.0.0.1:${port}`], 'UNAVAILABLE: wipe\\u{1b}[2J\\u{9b}1m'],
      [['call', hostile], "candidate-profile: unknown command 'wipe\\u{1b}[2J\\u{9b}1m'"],
    ] as const)
      assert.equal((await runCommand(t, args)).stderr, `${line}\n`);
  });

  test('an option of serve overrides its setting', async (t) => {
    const folder = newFolder(t);
    const options = ['--port', '0', '--host', '127.0.0.2', '--profile', PROFILE, '--data', 'kept'];
    const settings = { PORT: 'none', HOST: '127.0.0.3', PROFILE: 'none.yaml', DATA_DIR: '/proc/none' };
    const { url, token } = await startService(t, settings, folder, options);
    assert.match(url, /^http:\/\/127\.0\.0\.2:/);
    await token();
    assert.ok(existsSync(join(folder, 'kept/candidate-profile.db')));
  });

  test('a fault names the option that was typed, otherwise the setting', async (t) => {
    const folder = newFolder(t);
    const options = ['serve', '--port', '70000', '--profile', 'none.yaml'];
    const wrong = await runCommand(t, options, { HOST: '127.0.0.1', OWNER_EMAIL: 'me' }, folder);
    assert.deepEqual(wrong.stderr.split('\n'), [
      '--port: must be a port number, 0 to 65535',
      'OWNER_EMAIL: must be a valid email address',
      `--profile: ${folder}/none.yaml does not exist`,
      '',
    ]);
    assert.equal(wrong.code, 2);
    const empty = await runCommand(t, ['serve', '--data', '']);
    assert.deepEqual([empty.code, empty.stderr], [2, 'candidate-profile: --data must not be empty\n']);
    const { url } = await startService(t);
    const { port } = new URL(url);
    const next = (Number(port) % 65_535) + 1;
    const inUse = `127.0.0.1:${port} is in use by another program; to use another port: ${processName} serve --port ${next}\n`;
    const busy = await runProcess(t, ['serve', '--port', port]);
    assert.deepEqual([busy.code, busy.stdout, busy.stderr], [1, '', `--port: ${inUse}`]);
    const bySetting = await runProcess(t, ['serve'], { PORT: port });
    assert.deepEqual([bySetting.code, bySetting.stdout, bySetting.stderr], [1, '', `PORT: ${inUse}`]);
  });

  test('a call with a missing or wrong field is wrong usage, for the local profile and at a service', async (t) => {
    const { url, token } = await startService(t, { PROFILE });
    for (const remote of [[], ['--url', url, '--token', await token()]])
      for (const [args, message] of [
        ['get_project', 'id is required'],
        ['list_experience --current maybe', 'current must be true or false'],
        ['create_contact --name Ada', 'email is required'],
      ] as const) {
        const { code, stdout, stderr } = await runCommand(t, ['call', ...args.split(' '), ...remote], { PROFILE });
        assert.equal(stderr, `BAD_REQUEST: ${message}\n`);
        assert.deepEqual([code, stdout], [2, ''], args);
      }
  });

  test('openapi prints the description that the service serves', async (t) => {
    const { url } = await startService(t);
    const { code, stdout } = await runCommand(t, ['openapi'], { BASE_URL: url });
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout), await (await fetch(`${url}/openapi.json`)).json());
  });

  test('call prints data on stdout and a failure on stderr', async (t) => {
    const { url, token } = await startService(t, { PROFILE });
    const CANDIDATE_PROFILE_TOKEN = await token();
    const targets: [string[], Record<string, string>][] = [
      [[], { PROFILE }],
      [['--url', url, '--token', CANDIDATE_PROFILE_TOKEN], {}],
      [['--url', url], { CANDIDATE_PROFILE_TOKEN }],
      [[], { PROFILE, CANDIDATE_PROFILE_TOKEN }],
    ];
    for (const [remote, env] of targets) {
      const good = await runCommand(t, ['call', 'list_projects', ...remote], env);
      assert.deepEqual(JSON.parse(good.stdout), [
        { id: 'proj_linked', name: 'Linked', summary: 'A project with links.' },
        { id: 'proj_plain', name: 'Plain', summary: 'A project without links.' },
      ]);
      assert.deepEqual([good.code, good.stderr], [0, '']);
      const bad = await runCommand(t, ['call', 'get_project', '--id', 'none', ...remote], env);
      assert.equal(bad.stderr, 'NOT_FOUND: The requested resource could not be found.\n');
      assert.deepEqual([bad.code, bad.stdout], [1, '']);
    }
  });
});
