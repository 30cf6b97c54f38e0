import { writeFileSync } from 'node:fs';
import type { PrintReply, PrintRequest } from './printer.ts';
import { openResumeRenderer } from './resume-pdf.ts';

// Prints one resume that `printer.ts` sends, and ends.

try {
  // If memory runs out, Linux ends this process and not the service. Other systems lack the file.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {}

process.once('message', async ({ style, profilePath, profile, resumeJson }: PrintRequest) => {
  process.send!(await print(), () => process.disconnect());

  async function print(): Promise<PrintReply> {
    try {
      return { rendered: await openResumeRenderer(style, () => profilePath)(profile, resumeJson) };
    } catch (error) {
      return { fault: (error as Error).message };
    }
  }
});
