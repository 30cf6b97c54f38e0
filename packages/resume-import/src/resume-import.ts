export { type Imported, importResume } from './import-resume.ts';
export type { LossReport } from './report/loss-report.ts';
export { toDetails, toSummary } from './report/summary.ts';
export type { InputFile } from './source/zip.ts';
