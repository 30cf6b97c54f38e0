import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Profile } from 'resume-profile/profile-document';
import { readProfileText } from 'resume-profile/profile-reader';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../../..');

/** Returns the path of a resume that tests import. */
export const corpusFile = (name: string): string => join(import.meta.dirname, '../corpus', name);

export const readFixture = (name: string): string => readFileSync(corpusFile(name), 'utf8');

/** Reads the files of a LinkedIn data export, by their paths in its archive. */
export const readExport = (name: string): Record<string, string> => parse(readFixture(`rules/${name}.yaml`));

/** Reads a profile of the repository, such as `examples/profile.yaml`. */
export const readProfileAt = (path: string): Profile =>
  readProfileText(readFileSync(join(root, path), 'utf8')).profile!;
