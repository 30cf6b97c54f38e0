import { serveOne } from '../child-process.ts';
import type { Printed, PrintRequest } from './printer.ts';
import { openResumeRenderer } from './resume-pdf.ts';

// Prints one resume that `printer.ts` sends, and ends.

serveOne(async ({ style, profilePath, profile, resumeJson, letter, isPicture }: PrintRequest): Promise<Printed> => {
  const render = openResumeRenderer(style, () => profilePath, { withSvg: isPicture });
  const rendered = await render(profile, resumeJson, letter);
  if (!isPicture) return { rendered };
  const { toThemePicture } = await import('./theme-picture.ts');
  return { picture: await toThemePicture(rendered.svg!) };
});
