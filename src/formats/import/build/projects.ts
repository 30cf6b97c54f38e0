import type { Profile } from '../../../model/profile/profile-document.ts';
import type { DraftProject } from '../readers/draft.ts';
import { distinct, toHeading, toParagraphs, toWebAddress } from '../source/normalize.ts';
import { omit, take, type Value } from '../source/value.ts';
import { toEntries, toFields, toLines } from './entry.ts';
import { type Fill, takeText } from './fill.ts';
import { toIds } from './ids.ts';

type Project = Profile['projects'][number];

/** Makes the projects of a profile, in the order of the source. */
export function toProjects(drafts: readonly DraftProject[], fill: Fill): Project[] {
  const projects = drafts
    .map(({ id, name, summary, tags, urls, links, role, ...rest }) => ({
      id,
      name: toHeading(name),
      summary: toParagraphs(summary),
      tags: toLines(tags),
      links: toLinks({ urls, links }),
      more: { role: toHeading(role), ...toFields(rest) },
    }))
    .filter(
      ({ name, summary, tags, links, more }) =>
        name || summary || [tags, Object.values(links), Object.values(more)].flat(2).some((value) => value),
    );
  const named = projects.map((project, index) => {
    const field = `projects[${index}]`;
    const name = takeText(project.name, `${field}.name`, fill);
    const summary = takeText(project.summary, `${field}.summary`, fill);
    return { ...project, name, summary };
  });
  const ids = toIds('proj', named, 'projects[].id', fill);
  return named.map(({ name, summary, tags, links, more }, index) => ({
    id: ids[index]!,
    name,
    summary,
    ...toEntries(Object.keys(more), more)[0],
    ...(tags.length > 0 && { tags: tags.map(take) }),
    links: Object.fromEntries(Object.entries(links).flatMap(([kind, url]) => (url ? [[kind, take(url)]] : []))),
  }));
}

/** Assigns addresses of unknown kind: the first at GitHub is `github`, the next `live`, the next `details`. */
function toLinks({ urls = [], links = {} }: { urls: DraftProject['urls']; links: DraftProject['links'] }) {
  const found: Record<'github' | 'live' | 'details', Value | undefined> = {
    github: toWebAddress(links.github),
    live: toWebAddress(links.live),
    details: toWebAddress(links.details),
  };
  for (const url of distinct(urls.flatMap((each) => toWebAddress(each) ?? []))) {
    const same = Object.values(found).find((link) => link?.text === url.text);
    const isGitHub = /(^|\.)github\.com$/.test(new URL(url.text).hostname);
    const kind = isGitHub && !found.github ? 'github' : !found.live ? 'live' : !found.details ? 'details' : undefined;
    if (same) take(url);
    else if (kind) found[kind] = url;
    else omit(url, 'A project has three links at most');
  }
  return found;
}
