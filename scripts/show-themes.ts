import { execFileSync } from 'node:child_process';
import { openResumeRenderer } from 'resume-documents/pdf/resume-pdf';
import { themes } from 'resume-profile/resume-design';
import { readProfile } from '../src/adapters/profile/profile-file.ts';
import { resumeJsonOf } from '../src/operations/resume.ts';
import { samplePath } from '../src/service/config/config.ts';

// Renders the first page of the sample in each theme to docs/pdf-THEME.png, with pdftoppm of poppler-utils and pngquant.

const sample = readProfile(samplePath).profile!;
for (const theme of themes) {
  const render = openResumeRenderer({ theme, paper: 'a4', template: undefined, fontDir: undefined });
  const { pdf } = await render(sample, resumeJsonOf(sample));
  execFileSync('pdftoppm', ['-r', '72', '-png', '-singlefile', '-', `docs/pdf-${theme}`], { input: pdf });
  execFileSync('pngquant', ['--force', '--ext', '.png', '48', `docs/pdf-${theme}.png`]);
}
