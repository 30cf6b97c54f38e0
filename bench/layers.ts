import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A CPU profile of V8: for each sample, where it was taken and the time that it stands for. */
interface Profile {
  readonly nodes: readonly { id: number; callFrame: { functionName: string; url: string } }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The layers by the address of a function's file; the first that matches counts. */
const layers: readonly (readonly [name: string, url: RegExp])[] = [
  ['our code, with SQLite, which a profiler counts as its caller', /\/src\//],
  ['the MCP SDK, zod', /node_modules\/(@modelcontextprotocol|zod)\//],
  ['Hono', /node_modules\/(@hono|hono)\//],
  ['Kysely', /node_modules\/kysely\//],
  ['other packages', /node_modules\//],
  ["Node's JavaScript", /^node:/],
];
const native = 'other native code: system calls, cryptography, compiling';

export const layerNames = [...layers.map(([name]) => name), native, 'garbage collection'];

/** Returns how much of the CPU time of a process each layer took by itself, from the profile that Node wrote at its end. */
export function sharesOf(folder: string): Map<string, number> {
  const [file] = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'));
  const { nodes, samples, timeDeltas }: Profile = JSON.parse(readFileSync(join(folder, file!), 'utf8'));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map(layerNames.map((name) => [name, 0]));
  let total = 0;
  for (const [index, id] of samples.entries()) {
    const { functionName, url } = frames.get(id)!;
    if (functionName === '(idle)') continue;
    const [found] = layers.find(([, pattern]) => pattern.test(url)) ?? [native];
    const layer = functionName === '(garbage collector)' ? 'garbage collection' : found;
    times.set(layer, times.get(layer)! + timeDeltas[index]!);
    total += timeDeltas[index]!;
  }
  return new Map([...times].map(([name, time]) => [name, time / total]));
}
