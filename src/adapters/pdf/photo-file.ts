import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { type Image, type PhotoReading, toPhoto } from 'resume-documents/pdf/photo';
import type { Profile } from 'resume-profile/profile-document';
import { maxPhotoMebibytes } from 'resume-profile/resume-document';
import { readInputFile } from '../input-file.ts';

/** Reads the photo that a profile names in the folder of its document; the path is null for a profile at an address. */
export function photoOf({ resume: { photo } }: Profile, profilePath: string | null): PhotoReading {
  if (photo === undefined) return { photo: null, photoFault: null };
  try {
    if (profilePath === null) throw new Error('is not read, because the profile is at an address and has no folder');
    return { photo: readPhoto(dirname(profilePath), photo), photoFault: null };
  } catch (error) {
    return { photo: null, photoFault: (error as Error).message };
  }
}

/** Opens the photos of profiles. Each is read at its first request, and kept as long as its profile. */
export function openPhotos(profilePath: string | null): (profile: Profile) => Image | null {
  const photos = new WeakMap<Profile, Image>();
  return (profile) => {
    const photo = photos.get(profile) ?? photoOf(profile, profilePath).photo;
    if (photo !== null) photos.set(profile, photo);
    return photo;
  };
}

/** Reads a photo in a folder or below it, without its metadata. Throws a reason to stand after the photo's name. */
function readPhoto(folder: string, path: string): Image {
  const file = join(folder, path);
  if (existsSync(file)) {
    const [first] = relative(realpathSync(folder), realpathSync(file)).split(sep);
    if (first === '..') throw new Error('leads outside the folder of the profile');
  }
  return toPhoto(readInputFile(file, maxPhotoMebibytes));
}
