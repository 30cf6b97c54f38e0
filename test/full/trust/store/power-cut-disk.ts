import type { Step } from './power-cut-trace.ts';

/** Returns a number from 0 up to, but not including, 1. */
export type Random = () => number;

/** A generator that repeats its numbers for the same seed (mulberry32). */
export function openRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Change = Extract<Step, { kind: 'write' }> | Extract<Step, { kind: 'truncate' }>;

interface File {
  /** The synced content, which a power cut cannot change. */
  content: ArrayBuffer;
  unsynced: Change[];
}

const sectorBytes = 512;
const maxFileBytes = 2 ** 26;

/** A simulated disk that promises only what POSIX does: after a power cut, an unsynced change is there, missing or torn. */
export function openDisk() {
  const names = new Map<string, File>();
  let syncedNames = new Map<string, File>();
  let unsyncedNames: { readonly name: string; readonly file: File | null }[] = [];

  return {
    apply(step: Step): void {
      if (step.kind === 'send') return;
      if (step.kind === 'sync folder') {
        syncedNames = new Map(names);
        unsyncedNames = [];
        return;
      }
      const file = names.get(step.file);
      if (step.kind === 'create') {
        if (file !== undefined) return;
        const created = { content: newContent(), unsynced: [] };
        names.set(step.file, created);
        unsyncedNames.push({ name: step.file, file: created });
      } else if (step.kind === 'unlink') {
        names.delete(step.file);
        unsyncedNames.push({ name: step.file, file: null });
      } else if (file !== undefined && step.kind === 'sync') {
        for (const change of file.unsynced) make(change, file.content);
        file.unsynced = [];
      } else if (step.kind === 'write' || step.kind === 'truncate') {
        file?.unsynced.push(step);
      }
    },

    /** Returns the files as a power cut at this moment might leave them. */
    afterPowerCut(random: Random): Map<string, Buffer> {
      const keptShare = random();
      const left = new Map(syncedNames);
      for (const { name, file } of unsyncedNames) {
        if (random() >= keptShare) continue;
        if (file === null) left.delete(name);
        else left.set(name, file);
      }
      const survivors = (change: Change): Change[] => {
        if (random() < keptShare) return [change];
        return change.kind === 'write' && random() < 0.5 ? sectorsOf(change).filter(() => random() < 0.5) : [];
      };
      const contentOf = ({ content, unsynced }: File) => {
        const copy = newContent(content);
        for (const change of unsynced.flatMap(survivors)) make(change, copy);
        return Buffer.from(copy);
      };
      return new Map([...left].map(([name, file]) => [name, contentOf(file)]));
    },
  };
}

function newContent(original = new ArrayBuffer(0)): ArrayBuffer {
  const content = new ArrayBuffer(original.byteLength, { maxByteLength: maxFileBytes });
  new Uint8Array(content).set(new Uint8Array(original));
  return content;
}

function make(change: Change, content: ArrayBuffer): void {
  const end = change.kind === 'truncate' ? change.size : change.offset + change.bytes.length;
  if (change.kind === 'truncate' || content.byteLength < end) content.resize(end);
  if (change.kind === 'write') new Uint8Array(content).set(change.bytes, change.offset);
}

/** Splits a write into sectors, each of which a disk writes atomically. */
function sectorsOf({ bytes, offset, ...write }: Extract<Step, { kind: 'write' }>): Change[] {
  const sectors: Change[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = Math.min(bytes.length, start + sectorBytes - ((offset + start) % sectorBytes));
    sectors.push({ ...write, offset: offset + start, bytes: bytes.subarray(start, end) });
    start = end;
  }
  return sectors;
}
