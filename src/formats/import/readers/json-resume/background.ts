import type { InputCursor } from '../../source/input-cursor.ts';
import { joined, type Value } from '../../source/value.ts';
import type { Draft } from '../draft.ts';
import { restOf } from '../leftovers.ts';
import { toPlace } from '../place.ts';
import { toSkills } from '../skill-groups.ts';

/** Reads the sections from education to references. What an entry has besides the fields of its kind is added to its texts. */
export function toBackground(input: InputCursor) {
  return {
    ...toSkills(
      input.items('skills').map((skill) => {
        const [name, keywords] = [skill.text('name') ?? skill.text(), skill.texts('keywords')];
        const category = keywords.length === 0 ? skill.text('category', 'type', 'group', 'tags') : undefined;
        return { name, keywords, category, level: withRest(skill, skill.text('level'), ', ') };
      }),
    ),
    education: input.items('education').map((education) => ({
      institution: education.text('institution'),
      area: education.text('area'),
      degree: education.text('studyType'),
      location: toPlace(education.at('location')),
      start: education.text('startDate'),
      end: education.text('endDate', 'end'),
      score: education.text('score', 'gpa'),
      url: education.text('url', 'website'),
      details: [...education.texts('courses'), ...education.texts('highlights'), ...restOf(education)],
    })),
    certifications: input.items('certificates', 'certifications').map((certificate) => ({
      name: certificate.text('name', 'title') ?? certificate.text(),
      issuer: certificate.text('issuer', 'awarder', 'authority'),
      date: certificate.text('date'),
      url: certificate.text('url', 'website'),
      summary: withRest(certificate, certificate.text('summary')),
    })),
    languages: input.items('languages').map((language) => ({
      language: language.text('language', 'name') ?? language.text(),
      fluency: withRest(language, language.text('fluency', 'level'), ', '),
    })),
    publications: input.items('publications').map((publication) => ({
      name: publication.text('name', 'title') ?? publication.text(),
      authors: publication.texts('authors'),
      publisher: publication.text('publisher'),
      date: publication.text('releaseDate', 'date'),
      url: publication.text('url', 'website'),
      summary: withRest(publication, publication.text('summary')),
    })),
    awards: input.items('awards').map((award) => ({
      title: award.text('title', 'name') ?? award.text(),
      awarder: award.text('awarder', 'issuer'),
      date: award.text('date'),
      url: award.text('url', 'website'),
      summary: withRest(award, award.text('summary')),
    })),
    volunteer: input.items('volunteer').map((work) => ({
      organization: work.text('organization', 'company', 'name') ?? work.text(),
      role: work.text('position'),
      location: toPlace(work.at('location')),
      start: work.text('startDate'),
      end: work.text('endDate', 'end'),
      url: work.text('url', 'website'),
      summary: work.text('summary'),
      highlights: [...work.texts('highlights'), ...restOf(work)],
    })),
    interests: input.items('interests', 'hobbies').map((interest) => ({
      name: interest.text('name') ?? interest.text(),
      keywords: [...interest.texts('keywords'), ...restOf(interest)],
    })),
    references: input.items('references').map((reference) => ({
      name: reference.text('name'),
      reference: withRest(reference, reference.text('reference') ?? reference.text()),
    })),
  } satisfies Draft;
}

const withRest = (item: InputCursor, text: Value | undefined, separator = '\n') =>
  joined([text, ...restOf(item)], separator, 'joined with what its entry has besides');
