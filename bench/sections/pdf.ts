import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Rendered } from '../render-pdfs.ts';
import { goalOf, toDigits } from '../report.ts';
import { medianOf } from '../statistics.ts';
import type { Measure } from './section.ts';

const program = fileURLToPath(new URL('../render-pdfs.ts', import.meta.url));

const text = `The sample profile, each time under another name. The first printing of a theme opens a compiler, the very first one loads
Typst; the memory is that of the whole process, garbage collected, the themes one after the other.`;

export const measurePdf: Measure = async ({ isQuick }) => {
  const renderings = isQuick ? 25 : 500;
  const printed = execFileSync(process.execPath, ['--expose-gc', program, String(renderings)], { encoding: 'utf8' });
  const rendered: Rendered[] = JSON.parse(printed);
  const head = [1, 2, 3, 4, 5].map((fifth) => `MB after ${(renderings / 5) * fifth}`);
  const rows = rendered.map(({ theme, firstMs, laterMs, cpuMs, residentMb }) => {
    return [theme, ...[firstMs, medianOf(laterMs), cpuMs, ...residentMb].map(toDigits)];
  });
  return {
    title: 'The resume PDF',
    text,
    table: [['Theme', 'First, ms', 'Later, ms (median)', 'CPU, ms (mean)', ...head], ...rows],
    goals: rendered.map(({ theme, laterMs }) => goalOf(`${theme} theme, warm`, laterMs, 'ms', '≤', 50)),
  };
};
