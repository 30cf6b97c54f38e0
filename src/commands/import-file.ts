import { readInputFile } from '../adapters/input-file.ts';
import type { Imported } from '../formats/import/import-profile.ts';
import { withProgress } from './terminal/progress.ts';

/** Converts a resume in another format to a profile. Throws `PATH: what is wrong`, one line, if it cannot be imported. */
export async function importFile(path: string): Promise<Imported> {
  const { importProfile, maxImportMebibytes } = await import('../formats/import/import-profile.ts');
  try {
    const input = readInputFile(path, maxImportMebibytes);
    const today = new Date().toISOString().slice(0, 10);
    return await withProgress('Reading the resume', () => importProfile(input, today));
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}
