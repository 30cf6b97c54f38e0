import { test } from 'node:test';
import { runSequence } from '../../support/editor-sequences.ts';

test('980 more sequences of random changes, undone and redone, with lost answers [TRUST-80]', async () => {
  for (let seed = 21; seed <= 1_000; seed++) await runSequence(seed, 50);
});
