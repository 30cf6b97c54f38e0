import { existsSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { readInputFile } from '../input-file.ts';
import { type Image, withoutMetadata } from './image-metadata.ts';

const maxMebibytes = 2;
// A decoded image takes up to 8 bytes a pixel of memory, however small its file is.
const maxMegapixels = 16;

/** Reads a photo in a folder or below it, without its metadata. Throws why it cannot be printed, in words that follow its name. */
export function readPhoto(folder: string, path: string): Image {
  const file = join(folder, path);
  if (existsSync(file)) {
    const [first] = relative(realpathSync(folder), realpathSync(file)).split(sep);
    if (first === '..') throw new Error('leads outside the folder of the profile');
  }
  const image = withoutMetadata(readInputFile(file, maxMebibytes));
  if (image.width * image.height > maxMegapixels * 1_000_000)
    throw new Error(`has more than ${maxMegapixels} megapixels`);
  return image;
}
