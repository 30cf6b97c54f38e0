import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';

/** The root of the checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the text of a file of deploy/. */
export const readDeployed = (name: string): string => readFileSync(join(root, 'deploy', name), 'utf8');

/** The keys that the tests read of a service of a compose file. */
export interface ComposeService {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment?: Record<string, string>;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: Record<string, { readonly ipv4_address: string }> | readonly string[];
  readonly cap_drop?: readonly string[];
  readonly read_only?: boolean;
  readonly stop_grace_period?: string;
}

/** Returns the services of a compose file, as Compose merges them. */
export const composeServices = (name: string): Record<string, ComposeService> =>
  parseYaml(readDeployed(name), { merge: true }).services;

/** Returns the services of a compose file that run `serve`. */
export const servingIn = (name: string): ComposeService[] =>
  Object.values(composeServices(name)).filter(({ build, command }) => build !== undefined && command === undefined);

/** Returns fly.toml. */
export const flyToml = () =>
  parseToml(readDeployed('fly.toml')) as unknown as {
    readonly kill_signal: string;
    readonly kill_timeout: string;
    readonly build: { readonly dockerfile: string; readonly ignorefile: string };
    readonly env: Record<string, string>;
    readonly files: readonly { readonly guest_path: string }[];
    readonly mounts: { readonly destination: string };
    readonly http_service: { readonly internal_port: number; readonly checks: readonly { readonly path: string }[] };
  };

/** An instruction of a Dockerfile, on one line, and the number of the stage that it is in, from 1. */
export interface Instruction {
  readonly stage: number;
  readonly keyword: string;
  readonly value: string;
}

/** Returns the instructions of the Dockerfile. */
export function dockerfileInstructions(): Instruction[] {
  let stage = 0;
  const lines = readDeployed('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => {
    const [, keyword = '', value = ''] = /^(\w+) (.*)$/.exec(line) ?? assert.fail(line);
    if (keyword === 'FROM') stage += 1;
    return { stage, keyword, value };
  });
}

/** Returns the variables that the image sets. */
export function imageVariables(): Record<string, string> {
  const set = dockerfileInstructions().filter(({ keyword }) => keyword === 'ENV');
  return Object.fromEntries(
    set.flatMap(({ value }) => [...value.matchAll(/(\w+)=(\S+)/g)].map(([, name, text]) => [name!, text!])),
  );
}

/** Returns the values of a key of a systemd unit. */
export const unitValues = (name: string, key: string): string[] =>
  [...readDeployed(`systemd/${name}`).matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) => value!);
