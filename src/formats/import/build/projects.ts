import type { Profile } from '../../../model/profile-document.ts';
import type { DraftProject } from '../readers/draft.ts';
import { distinct, toLine, toParagraphs, toWebAddress } from '../source/normalize.ts';
import { omit, take, type Value } from '../source/value.ts';
import { toIds } from './ids.ts';
import type { Fill } from './loss-report.ts';

type Project = Profile['projects'][number];

/** Makes the projects of a profile, in the order of the source. */
export function toProjects(drafts: readonly DraftProject[], fill: Fill): Project[] {
  const projects = drafts
    .map(({ id, name, summary, tags = [], ...addresses }) => ({
      id,
      name: toLine(name),
      summary: toParagraphs(summary),
      tags: distinct(tags.flatMap((tag) => toLine(tag) ?? [])),
      links: toLinks(addresses),
    }))
    .filter(
      ({ name, summary, tags, links }) =>
        name || summary || tags.length > 0 || Object.values(links).some((link) => link),
    );
  const named = projects.map((project, index) => {
    const field = `projects[${index}]`;
    const name = project.name
      ? take(project.name)
      : fill(`${field}.name`, 'Project not named', 'a project needs a name');
    const summary = project.summary
      ? take(project.summary)
      : fill(`${field}.summary`, `${name}.`, 'the name, because a project needs a summary');
    return { ...project, name, summary };
  });
  const ids = toIds('proj', named, 'projects[].id', fill);
  return named.map(({ name, summary, tags, links }, index) => ({
    id: ids[index]!,
    name,
    summary,
    ...(tags.length > 0 && { tags: tags.map(take) }),
    links: Object.fromEntries(Object.entries(links).flatMap(([kind, url]) => (url ? [[kind, take(url)]] : []))),
  }));
}

/** Assigns addresses of unknown kind: the first at GitHub is `github`, the next `live`, the next `details`. */
function toLinks({ urls = [], links = {} }: Pick<DraftProject, 'urls' | 'links'>) {
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
