import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { samplePath } from '../../src/service/config/config.ts';
import { type Cleanup, fixture, newFolder } from './files.ts';

/** The text that is appended to test/fixtures/profile.yaml, which ends in `resume`. */
const added = `
  email: tess@tess.example
  education:
    - institution: Técnico Lisboa
      degree: MSc
      area: Computing
      start_date: 2005
      end_date: 2010-07
      details: ["*Compilers* and [parsers](https://parsers.example)"]
    - institution: Open University
      start_date: 2024-09
      end_date: null
  certifications:
    - name: Diver
      issuer: Sea School
      date: 2016-05-01
  languages:
    - language: Portuguese
      fluency: native
    - language: French
  publications:
    - name: On logs
      authors: [T. Example, A. Other]
      publisher: Storage Letters
      date: 2019
      url: https://letters.example/logs
      summary: Why they *end*.
  awards:
    - title: Best log
      awarder: Log Society
  volunteer:
    - organization: Repair Café
      role: Host
      start_date: 2020
      highlights: [Mended radios]
  interests:
    - name: Kites
  references:
    print: true
    entries:
      - name: Rui Reference
        reference: Tess is kind.
  sections:
    - title: Talks
      entries:
        - name: Logs at sea
          organization: Boat Conf
          location: Faro
          date: 2023-06
        - bullet: One more in Porto
        - Both are on video.
    - title: Patents
      entries: []
background: true
`;

/** The profile of test/fixtures/profile.yaml as a text, with everything that a background has; it is offered. */
export const backgroundProfile = readFileSync(fixture('profile.yaml'), 'utf8') + added.slice(1);

/** Writes the profile to a folder of its own and returns its path. */
export const writeBackgroundProfile = (t: Cleanup): string => write(backgroundProfile, t);

/** Writes the profile with its background, so that it offers every operation. */
export const writeOfferingProfile = (t: Cleanup): string => write(`${backgroundProfile}evidence: true\n`, t);

/** Writes the sample profile, so that it offers every operation, to a folder of its own and returns its path. */
export const writeOfferingSample = (t: Cleanup): string =>
  write(`${readFileSync(samplePath, 'utf8')}\nbackground: true\nevidence: true\n`, t);

function write(profile: string, t: Cleanup): string {
  const file = join(newFolder(t), 'profile.yaml');
  writeFileSync(file, profile);
  return file;
}

/** The answer of `get_background` to it. */
export const background = {
  education: [
    {
      institution: 'Técnico Lisboa',
      area: 'Computing',
      degree: 'MSc',
      start_date: '2005',
      end_date: '2010-07',
      details: ['*Compilers* and [parsers](https://parsers.example)'],
    },
    { institution: 'Open University', start_date: '2024-09', end_date: null },
  ],
  certifications: [{ name: 'Diver', issuer: 'Sea School', date: '2016-05-01' }],
  languages: [{ language: 'Portuguese', fluency: 'native' }, { language: 'French' }],
  publications: [
    {
      name: 'On logs',
      authors: ['T. Example', 'A. Other'],
      publisher: 'Storage Letters',
      date: '2019',
      url: 'https://letters.example/logs',
      summary: 'Why they *end*.',
    },
  ],
  awards: [{ title: 'Best log', awarder: 'Log Society' }],
  volunteer: [{ organization: 'Repair Café', role: 'Host', start_date: '2020', highlights: ['Mended radios'] }],
  sections: [
    {
      title: 'Talks',
      entries: [
        { name: 'Logs at sea', organization: 'Boat Conf', location: 'Faro', date: '2023-06' },
        { bullet: 'One more in Porto' },
        { text: 'Both are on video.' },
      ],
    },
  ],
};
