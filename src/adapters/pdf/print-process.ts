import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { PrintReply, PrintRequest } from './printer.ts';
import { openResumeRenderer } from './resume-pdf.ts';

// Prints one resume that `printer.ts` sends, and ends. The argument is how many seconds that may take.

// `printer.ts` ends it by then, but may have been killed, and no timer of this thread runs while Typst does.
new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${1_000 * (Number(process.argv[2]) + 1)})`, {
  eval: true,
}).unref();

try {
  // If memory runs out, Linux ends this process and not the service. Other systems lack the file.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {}

process.once('message', async ({ style, profilePath, profile, resumeJson, letter, isPicture }: PrintRequest) => {
  process.send!(await print(), () => process.disconnect());

  async function print(): Promise<PrintReply> {
    try {
      const render = openResumeRenderer(style, () => profilePath, { withSvg: isPicture });
      const rendered = await render(profile, resumeJson, letter);
      if (!isPicture) return { rendered };
      const { toThemePicture } = await import('./theme-picture.ts');
      return { picture: await toThemePicture(rendered.svg!) };
    } catch (error) {
      return { fault: (error as Error).message };
    }
  }
});
