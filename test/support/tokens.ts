import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type DurableStore, openStore } from '../../src/adapters/store/store.ts';
import { openKeys } from '../../src/adapters/tokens/keys.ts';
import { openTokens } from '../../src/adapters/tokens/tokens.ts';
import { byAddress, type Visitor } from '../../src/model/visitor.ts';
import { createDatabase, openDatabase } from './database.ts';
import { makeFolder, newFolder } from './files.ts';

export const current = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: '1JnX14l2eV-Itv8c_Mqnttr6SrnP2wKAt7Ol2q4rqZU',
  x: 'dKHeMgp2dCXtFAgAtiV6nvzSJbFvw2a04lnZYH_UnN8',
};
export const former = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: '_jFKf43Xckh8pbSnSAkCu8zhy1XblzwuGt7bV-uY5Gg',
  x: 'oDV9CtpGEPezUWQy3xsee-eD8rA3d4iov2DPm27sTGw',
};
export const keysOf = (...set: (typeof current)[]) =>
  openKeys({ signingKey: JSON.stringify({ keys: set }), dataDir: '' });
export const keys = await keysOf(current);
export const formerKeys = await keysOf(former);

export const baseUrl = 'https://profile.example';
export const subject = byAddress('ada@example.org');
const start = Date.parse('2026-11-21T10:00:00.400Z');
export const startSecond = 1795255200;

/** Opens a store that stays open until the process ends. */
export const openEmptyStore = async (): Promise<DurableStore> =>
  openStore(openDatabase(await createDatabase(join(makeFolder(), 'candidate-profile.db'))));
const storeWithoutRevocations = await openEmptyStore();

/** The time of the tokens, which a test may set; a file has it set back before each test. */
export const clock = { milliseconds: start };
export const resetClock = () => {
  clock.milliseconds = start;
};

type Options = Parameters<typeof openTokens>[0];

/** Opens tokens on a store without revocations, unless another one is given. */
export const openTestTokens = (changes: Partial<Options> = {}) =>
  openTokens({
    keys,
    baseUrl,
    ttlSeconds: 3600,
    store: storeWithoutRevocations,
    now: () => new Date(clock.milliseconds),
    ...changes,
  });
type Opened = Awaited<ReturnType<typeof openTestTokens>>;
export const issue = async (tokens: Opened, to: Visitor = subject) => tokens.sign(await tokens.prepare(to));

/** Keys in a file that can be replaced while they are open. */
export async function openLiveKeys(t: TestContext, ...set: (typeof current)[]) {
  const dataDir = newFolder(t);
  const write = (...jwks: (typeof current)[]) =>
    writeFileSync(join(dataDir, 'signing-key.json'), JSON.stringify({ keys: jwks }), { mode: 0o600 });
  write(...set);
  const live = await openKeys({ dataDir, now: () => new Date(clock.milliseconds) });
  return {
    live,
    async change(...jwks: (typeof current)[]) {
      write(...jwks);
      await live.refresh();
    },
  };
}
