import { readInputFile } from '../adapters/input-file.ts';
import type { Imported } from '../formats/import/import-profile.ts';

/** Makes a profile of a resume in another format. Throws `PATH: what is wrong`, one line, if it cannot be imported. */
export async function importFile(path: string): Promise<Imported> {
  const { importProfile, maxImportMebibytes } = await import('../formats/import/import-profile.ts');
  try {
    return await importProfile(readInputFile(path, maxImportMebibytes), new Date().toISOString().slice(0, 10));
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
  }
}
