import { parseArgs } from 'node:util';
import { adversarialTexts } from '../test/support/adversarial-jobs.ts';
import { answerIn, hugeProfile, measureEvidence, profileOf } from '../test/support/marked-jobs.ts';

// node bench/evidence.ts [--pairs]: how well evidence is found, and the CPU time of texts made to be slow.

const { values } = parseArgs({ options: { pairs: { type: 'boolean', default: false } } });

for (const folder of ['jobs', 'held-out'] as const) {
  const measured = await measureEvidence(folder);
  const { found, missed, wrong, contradicted, rightlyEmpty, requirements } = measured;
  console.log(`test/fixtures/evidence/${folder}`);
  console.log(
    `  recall ${measured.recall.toFixed(3)}: ${found.length} of ${found.length + missed.length} marked pairs`,
  );
  console.log(
    `  precision ${measured.precision.toFixed(3)}: ${found.length} of ${found.length + wrong.length} found pairs`,
  );
  console.log(
    `  requirements: ${requirements.marked} marked, ${requirements.missed.length} missed, ${requirements.extra.length} extra`,
  );
  for (const each of requirements.missed) console.log(`    missed: ${each}`);
  for (const each of requirements.extra) console.log(`    extra: ${each}`);
  console.log(`  nothing stated: ${rightlyEmpty} rightly, ${contradicted.length} against the marks`);
  for (const each of contradicted) console.log(`    ${each}`);
  if (values.pairs) {
    for (const each of missed) console.log(`  - ${each}`);
    for (const each of wrong) console.log(`  + ${each}`);
  }
}

// With the JSON in both layouts, as for an agent. In the first run, the index of the profile is made.
for (const [name, profile] of Object.entries({
  'the profile of david': profileOf('david'),
  '100 jobs': hugeProfile(),
})) {
  console.log(`CPU time of a text of 20 kB in ${name}, the median of 9 runs, and the first with an index to make`);
  for (const [kind, text] of Object.entries(adversarialTexts(profile))) {
    const served = { ...profile };
    const runs: number[] = [];
    for (let n = 0; n < 9; n++) {
      const before = process.cpuUsage();
      const answer = await answerIn(served, text);
      for (const indent of [0, 2]) JSON.stringify(answer, null, indent);
      const { user, system } = process.cpuUsage(before);
      runs.push((user + system) / 1_000);
    }
    const [first] = runs;
    console.log(`  ${kind}: ${runs.toSorted((one, other) => one - other)[4]!.toFixed(1)} ms, ${first!.toFixed(1)} ms`);
  }
}
