import { setImmediate } from 'node:timers/promises';
import { openResumeRenderer } from 'resume-documents/pdf/resume-pdf';
import { themes } from 'resume-profile/resume-design';
import { readProfile } from '../src/adapters/profile/profile-file.ts';
import { resumeJsonOf } from '../src/operations/resume.ts';
import { samplePath } from '../src/service/config/config.ts';

// Renders the sample in each theme as often as the argument says, and prints what that took as JSON. In a process of its own,
// whose memory it measures; needs --expose-gc.

/** The cost of a theme: milliseconds, and the resident memory after each fifth of the renderings. */
export interface Rendered {
  readonly theme: string;
  readonly firstMs: number;
  readonly laterMs: number[];
  /** The mean of the later ones. */
  readonly cpuMs: number;
  readonly residentMb: number[];
}

const renderings = Number(process.argv[2]);
const sample = readProfile(samplePath).profile!;
const json = resumeJsonOf(sample);

/** Renders the sample under another name each time, so that no cache helps; returns milliseconds. */
async function time(render: ReturnType<typeof openResumeRenderer>, index: number): Promise<number> {
  const candidate = { ...sample.candidate, name: `${sample.candidate.name} ${index}` };
  const startedAt = performance.now();
  await render({ ...sample, candidate }, json);
  return performance.now() - startedAt;
}

/** The resident memory after a garbage collection. */
async function residentMb(): Promise<number> {
  globalThis.gc!();
  await setImmediate();
  return process.memoryUsage().rss / 1024 ** 2;
}

const rendered: Rendered[] = [];
for (const theme of themes) {
  const render = openResumeRenderer({ theme, paper: 'a4', template: undefined, fontDir: undefined });
  const firstMs = await time(render, 0);
  const laterMs: number[] = [];
  const resident: number[] = [];
  const before = process.cpuUsage();
  for (let index = 1; index <= renderings; index++) {
    laterMs.push(await time(render, index));
    if (index % (renderings / 5) === 0) resident.push(await residentMb());
  }
  const { user, system } = process.cpuUsage(before);
  rendered.push({ theme, firstMs, laterMs, cpuMs: (user + system) / 1_000 / renderings, residentMb: resident });
}
console.log(JSON.stringify(rendered));
