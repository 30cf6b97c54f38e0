import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { deflateSync, inflateSync } from 'node:zlib';
import { unzipSync, zipSync } from 'fflate';
import { importDocument } from 'resume-import/import-resume';
import { documentNames, documentPath } from '../../../packages/resume-import/test/documents.ts';
import { openProcesses } from '../../../src/adapters/child-process.ts';
import { openDocumentReader } from '../../../src/adapters/document/document-reader.ts';
import { childrenOf } from '../../support/child-processes.ts';
import { report, scaled } from '../../support/figures.ts';
import { type Random, randomOf } from '../../support/random.ts';
import type { ReadMany } from '../../support/read-many-process.ts';

const seed = Number(process.env.SEED ?? randomInt(1_000_000));
const count = scaled(10_000, 12);
/** How many are read by one process. */
const batch = scaled(25, 4);

/** Changes, removes, repeats and inserts bytes of a file, and cuts some files off. */
function mutate(file: Buffer, random: Random): Buffer {
  let bytes: Buffer = Buffer.from(file);
  for (let change = 1 + random.below(8); change > 0; change--) {
    const [at, length] = [random.below(bytes.length), 1 + random.below(60)];
    const part = bytes.subarray(at, at + length);
    const other = random.below(bytes.length);
    const changes: (() => Buffer)[] = [
      () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]),
      () => Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)]),
      () => Buffer.concat([bytes.subarray(0, other), part, bytes.subarray(other)]),
      () => Buffer.concat([bytes.subarray(0, at), Buffer.from(String(random.below(2 ** 31))), bytes.subarray(at)]),
      () => Buffer.from(bytes.map((byte, index) => (index >= at && index < at + 4 ? random.below(256) : byte))),
    ];
    bytes = random.pick(changes)();
  }
  return random.isOneIn(20) ? bytes.subarray(0, random.below(bytes.length)) : bytes;
}

/** Mutates what is packed in a PDF: the content of one of its streams. */
function mutateStream(file: Buffer, random: Random): Buffer {
  const text = file.toString('latin1');
  const streams = [...text.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)];
  const stream = streams.length > 0 ? random.pick(streams) : undefined;
  if (!stream) return mutate(file, random);
  try {
    const [whole, packed] = stream as unknown as [string, string];
    const plain = inflateSync(Buffer.from(packed, 'latin1'), { maxOutputLength: 4 * 1024 ** 2 });
    const changed = deflateSync(mutate(plain, random)).toString('latin1');
    const [before, after] = [text.slice(0, stream.index), text.slice(stream.index + whole.length)];
    return Buffer.from(`${before}stream\n${changed}\nendstream${after}`, 'latin1');
  } catch {
    return mutate(file, random);
  }
}

/** Mutates a part of a Word document, and packs it again. */
function mutatePart(file: Buffer, random: Random): Buffer {
  const parts = unzipSync(file);
  const names = Object.keys(parts);
  const name = random.isOneIn(3) ? random.pick(names) : 'word/document.xml';
  return Buffer.from(zipSync({ ...parts, [name]: mutate(Buffer.from(parts[name]!), random) }));
}

interface Mutant {
  readonly name: string;
  readonly file: Buffer;
}

test(`a mutated document is imported or refused in a sentence, and leaves no process behind (seed ${seed}) [TRUST-76]`, async () => {
  const random = randomOf(seed);
  const { read } = openDocumentReader();
  const many = openProcesses<readonly Uint8Array[], ReadMany>({
    program: new URL('../../support/read-many-process.ts', import.meta.url),
    name: 'the process',
    processorSeconds: 60,
    seconds: 3_600,
    mebibytes: 1024,
  });
  const files = documentNames.map((name) => [name, readFileSync(documentPath(name))] as const);
  const faults: string[] = [];
  const counts = { imported: 0, refused: 0, separate: 0 };
  let made = 0;

  function nextMutants(): Mutant[] {
    const mutants: Mutant[] = [];
    while (mutants.length < batch && made < count) {
      const [name, file] = random.pick(files);
      const inside = name.endsWith('.docx') ? mutatePart : mutateStream;
      mutants.push({
        name: `${name}, ${made++}`,
        file: random.isOneIn(3) ? mutate(file, random) : inside(file, random),
      });
    }
    return mutants;
  }

  function check({ name }: Mutant, read: ReadMany[number]): void {
    try {
      if ('fault' in read) throw new Error(read.fault);
      importDocument(read);
      counts.imported++;
    } catch (error) {
      const { message } = error as Error;
      if (/^(is a|cannot be read: it takes more than|cannot be read: it took more than)/.test(message))
        counts.refused++;
      else faults.push(`${name}: ${message}`);
    }
  }

  // Most are read many to a process. One of each lot has a process of its own, as the program reads every document, and so are all
  // of a lot whose process ended before it was done, and each that was refused without a sentence.
  async function work(): Promise<void> {
    for (let mutants = nextMutants(); mutants.length > 0; mutants = nextMutants()) {
      const lot = await many.run(mutants.map(({ file }) => file)).catch((): ReadMany => []);
      for (const [index, mutant] of mutants.entries()) {
        const found = index > 0 ? lot[index] : undefined;
        if (found && !('fault' in found && !/^is a /.test(found.fault))) {
          check(mutant, found);
          continue;
        }
        counts.separate++;
        check(mutant, await read(mutant.file).catch(({ message }: Error) => ({ fault: message })));
      }
    }
  }
  await Promise.all([work(), work()]);
  assert.deepEqual(faults, []);
  assert.deepEqual(childrenOf(process.pid), []);
  const { imported, refused, separate } = counts;
  assert.equal(imported + refused, count);
  report(
    'Mutated PDFs and Word documents',
    `${count}: ${imported} imported, ${refused} refused in a sentence, no process left; ${separate} read by a process of their own`,
  );
});
