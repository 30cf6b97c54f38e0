import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { parse } from 'yaml';
import { graceMs } from '../../../src/commands/serve/run.ts';
import { maxResumeMebibytes } from '../../../src/model/profile/read-resume.ts';
import { Settings } from '../../../src/service/config/settings.ts';
import {
  composeServices,
  flyToml,
  imageVariables,
  readDeployed,
  servingIn,
  unitValues,
} from '../../support/deployment.ts';

interface EnvironmentVariable {
  readonly name: string;
  readonly value?: string;
}

const { template } = parse(readDeployed('kubernetes/deployment.yaml')).spec;
const podVariables: readonly EnvironmentVariable[] = template.spec.containers[0].env;
const composeFiles = ['compose.yaml', 'compose.replicas.yaml'];
const unitVariables = unitValues('candidate-profile.service', 'Environment');

/** The variables that each file gives the service, where `${…}` is filled in from the owner's .env. */
const given: Record<string, Record<string, string | undefined>> = {
  Dockerfile: imageVariables(),
  'fly.toml': flyToml().env,
  'kubernetes/deployment.yaml': Object.fromEntries(podVariables.map(({ name, value }) => [name, value])),
  'systemd/candidate-profile.service': Object.fromEntries(unitVariables.map((line) => line.split(/=(.*)/, 2))),
  ...Object.fromEntries(
    composeFiles.map((file) => [file, Object.assign({}, ...servingIn(file).map((one) => one.environment))]),
  ),
};

const key = JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }));
const filledIn: Record<string, string> = {
  DOMAIN: 'profile.example.org',
  POSTGRES_PASSWORD: 'secret',
  SIGNING_KEY: key,
};
const fillIn = (value: string) =>
  value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, name) => filledIn[name] ?? assert.fail(name));

test('every variable that a file gives the service is a setting, with a value that it accepts', () => {
  const faults = Object.entries(given).flatMap(([file, variables]) =>
    Object.entries(variables).flatMap(([name, value]) => {
      // For Node, not for the program.
      if (name === 'NODE_OPTIONS') return [];
      const setting = Object.entries(Settings.shape).find(([known]) => known === name)?.[1];
      if (setting === undefined) return [`${file}: ${name} is not a setting`];
      // Without a value it is a secret that the file refers to.
      const { error } = value === undefined ? {} : setting.safeParse(fillIn(value));
      return error === undefined ? [] : [`${file}: ${name}: ${error.issues[0]!.message}`];
    }),
  );
  assert.deepEqual(faults, []);
});

test('no file has a secret in it', () => {
  const secret = /PASSWORD|SIGNING_KEY|SMTP_URL|DATABASE_URL/;
  const ofCompose = composeFiles.flatMap((file) =>
    Object.values(composeServices(file)).flatMap(({ environment = {} }) => Object.entries(environment)),
  );
  const ofExample = [...readDeployed('.env.example').matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [
    name!,
    value!,
  ]);
  const all = [...Object.values(given).flatMap((one) => Object.entries(one)), ...ofCompose, ...ofExample];
  const secrets = all.filter(([name]) => secret.test(name!)).map(([, value]) => value ?? '');
  assert.ok(secrets.length >= 10, `${secrets.length}`);
  const literal = secrets.filter(
    (value) => !/^(postgres:\/\/\w+:@\S+)?$/.test(value.replaceAll(/\$\{\w+:\?[^}]*\}/g, '')),
  );
  assert.deepEqual(literal, []);
  assert.deepEqual(
    podVariables.filter(({ name }) => secret.test(name)).map(({ name, value }) => [name, value]),
    [
      ['DATABASE_URL', undefined],
      ['SIGNING_KEY', undefined],
      ['SMTP_URL', undefined],
      ['SMTP_PASSWORD', undefined],
    ],
  );
});

test('what stops the service leaves requests in flight the time that it gives them', () => {
  assert.equal(graceMs, 8_000);
  const seconds = (text: string | undefined) => Number(/^(\d+)s?$/.exec(text ?? '')?.[1]);
  const { preStop } = template.spec.containers[0].lifecycle;
  assert.deepEqual(preStop.exec.command, ['sleep', '5']);
  const graces = {
    'compose.yaml': servingIn('compose.yaml').map(({ stop_grace_period: period }) => seconds(period)),
    'compose.replicas.yaml': servingIn('compose.replicas.yaml').map(({ stop_grace_period: period }) => seconds(period)),
    'fly.toml': [seconds(flyToml().kill_timeout)],
    'candidate-profile.service': unitValues('candidate-profile.service', 'TimeoutStopSec').map(seconds),
    'deployment.yaml': [template.spec.terminationGracePeriodSeconds - 5],
  };
  assert.deepEqual(graces, {
    'compose.yaml': [20],
    'compose.replicas.yaml': [20, 20],
    'fly.toml': [20],
    'candidate-profile.service': [20],
    'deployment.yaml': [25],
  });
  assert.equal(flyToml().kill_signal, 'SIGTERM');
});

test('traffic follows /readyz, which says that a service is stopping, and a restart only /healthz', () => {
  const { startupProbe, livenessProbe, readinessProbe } = template.spec.containers[0];
  assert.deepEqual(
    [startupProbe, livenessProbe, readinessProbe].map(({ httpGet }) => [httpGet.path, httpGet.port]),
    [
      ['/healthz', 'http'],
      ['/healthz', 'http'],
      ['/readyz', 'http'],
    ],
  );
  assert.deepEqual(
    flyToml().http_service.checks.map(({ path }) => path),
    ['/readyz'],
  );
  assert.match(readDeployed('Caddyfile'), /^\t\thealth_uri \/readyz$/m);
  assert.match(readDeployed('haproxy.cfg'), /^ {4}http-check send meth GET uri \/readyz /m);
});

test('Fly forwards to the port of the image, and mounts what it reads', () => {
  const { build, files, mounts, http_service: http } = flyToml();
  assert.deepEqual([build.dockerfile, build.ignorefile], ['Dockerfile', 'Dockerfile.dockerignore']);
  const { PORT, PROFILE, DATA_DIR } = imageVariables();
  assert.deepEqual([`${http.internal_port}`, files[0]!.guest_path], [PORT, PROFILE]);
  assert.equal(DATA_DIR, `${mounts.destination}/candidate-profile`);
});

test('the proxies let through what the service takes, and little more', () => {
  const mebibyte = 1024 ** 2;
  const limitsOf = (file: string, pattern: RegExp) =>
    [...readDeployed(file).matchAll(pattern)].map(([, count]) => Number(count) * mebibyte).sort((a, b) => a - b);
  for (const limits of [
    limitsOf('nginx.conf', /client_max_body_size (\d+)m;/g),
    limitsOf('Caddyfile', /max_size (\d+)MiB/g),
  ]) {
    // A form without a file has up to 256 KiB, and a form around a file another 64.
    assert.deepEqual(limits, [mebibyte, (maxResumeMebibytes + 1) * mebibyte]);
  }
  assert.match(readDeployed('nginx.conf'), /location \/desk\/ \{[^}]*client_max_body_size 21m;/);
  assert.match(readDeployed('Caddyfile'), /@desk path \/desk\/\*\n\trequest_body @desk \{\n\t\tmax_size 21MiB/);
});
