import { shownIn } from 'resume-profile/hides';
import { nonEmpty } from 'resume-profile/non-empty';
import type { Profile } from 'resume-profile/profile-document';

interface Photo {
  readonly format: 'jpg' | 'png';
  readonly bytes: Uint8Array;
}

/** Writes the contact of a profile as a vCard 4.0 (RFC 6350): the head of its page, and the photo. */
export function toVcard(profile: Profile, photo: Photo | null): string {
  const { candidate, experience, resume } = shownIn('page', profile);
  const { name, title, location } = candidate;
  const { email } = resume;
  const current = experience.find((entry) => entry.current)?.company;
  const properties: (readonly [name: string, value: string | undefined])[] = [
    // Required (section 6.2.1), even without a name.
    ['FN', escaped(nonEmpty(name, title, email)[0] ?? '-')],
    ['TITLE', escaped(title)],
    ['ORG', escaped(current)],
    // The place as one text is the locality of an address.
    ['ADR', location && `;;;${escaped(location)};;;`],
    ['EMAIL', escaped(email)],
    ['TEL', escaped(resume.phone)],
    ...(resume.links ?? []).map(({ url }) => ['URL', url] as const),
    ['LANG', resume.language],
    ['PHOTO', photo === null || resume.hides?.page?.includes('photo') ? undefined : toDataUrl(photo)],
  ];
  const lines = properties.flatMap(([name, value]) => (value ? [`${name}:${value}`] : []));
  return ['BEGIN:VCARD', 'VERSION:4.0', ...lines, 'END:VCARD'].map((line) => `${folded(line)}\r\n`).join('');
}

/** Escapes a text value, in one line and without control characters (section 3.4). */
const escaped = (text = ''): string =>
  text
    .trim()
    .replace(/\r?\n/g, '\n')
    .replace(/(?!\n)\p{Cc}/gu, ' ')
    .replace(/[\\,;]/g, '\\$&')
    .replaceAll('\n', '\\n');

const toDataUrl = ({ format, bytes }: Photo): string =>
  `data:image/${format === 'jpg' ? 'jpeg' : 'png'};base64,${Buffer.from(bytes).toString('base64')}`;

/** Folds a line after 75 octets at most, between characters (section 3.2). */
function folded(line: string): string {
  const lines = [''];
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > 75) {
      lines.push(' ');
      octets = 1;
    }
    lines[lines.length - 1] += character;
    octets += size;
  }
  return lines.join('\r\n');
}
