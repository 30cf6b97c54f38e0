import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Profile } from 'resume-profile/profile-document';
import { publicView } from 'resume-profile/view-fields';
import type { LiveProfile } from '../adapters/profile/profile-source.ts';
import type { IssuedToken } from '../model/token.ts';
import type { Edition } from '../operations/ports.ts';
import { publicPartOf } from '../surfaces/web/public/public-profile.ts';

interface EditionOptions {
  readonly profile: Pick<LiveProfile, 'current' | 'views'>;
  /** Returns the name of the view that a token reads; null for the whole profile. */
  viewOf(token: IssuedToken): string | null;
  /** Returns the link to the resume in a view; null if the view has no PDF. */
  linkTo(view: string | null): string | null;
  readonly now: () => Date;
}

/**
 * Opens the editions: of the whole profile, whose view is null, of each view and of the public part. Each is made when it
 * is first asked for, and is the same object until the profile, its link or the day changes: answers are cached per
 * edition.
 */
export function openEditions({ profile, viewOf, linkTo, now }: EditionOptions) {
  let latest: { readonly source: Profile; readonly editions: Map<string | null, Edition> } | undefined;

  function profileOf(view: string | null): Profile {
    const source = profile.current();
    if (view === null) return source;
    return (view === publicView ? null : profile.views().resolve(view)) ?? publicPartOf(source);
  }

  const toEdition = (served: Profile, view: string | null): Edition => ({
    profile: served,
    resumeUrl: served.resume.pdf_url ?? linkTo(view),
    today: now().toISOString().slice(0, 10),
  });

  const namedOrPublic = (view: string | null) => (view === null || profile.views().names.has(view) ? view : publicView);

  /** Returns the edition of a view, or of the public part if the profile does not have the view any more. */
  function ofView(named: string | null): Edition {
    const source = profile.current();
    if (latest?.source !== source) latest = { source, editions: new Map() };
    const view = namedOrPublic(named);
    const before = latest.editions.get(view);
    const served = before?.profile ?? profileOf(view);
    const edition = toEdition(served, view);
    if (before?.resumeUrl === edition.resumeUrl && before.today === edition.today) return before;
    latest.editions.set(view, edition);
    return edition;
  }

  return {
    ofView,
    /** Returns the edition that a profile would be if it were published. */
    ofUnpublished: (unpublished: Profile): Edition => toEdition(unpublished, null),
    /** Returns the name of the view that a token reads; null for the whole profile. */
    viewOf: (token: IssuedToken): string | null => namedOrPublic(viewOf(token)),
    /** Returns the edition that a token reads; for null the whole one. */
    edition: (token: IssuedToken | null): Edition => ofView(token === null ? null : viewOf(token)),
    /** Returns the editions that were made of the latest profile, or of the one before if none was made of it yet. */
    made: (): ReadonlyMap<string | null, Edition> => latest?.editions ?? new Map(),
    /** Returns what is served now: the published profile, whose view is null, and each view that somebody has read. */
    served(): readonly { readonly view: string | null; readonly profile: Profile }[] {
      const source = profile.current();
      const views = latest?.source === source ? [...latest.editions].filter(([view]) => view !== null) : [];
      return [{ view: null, profile: source }, ...views.map(([view, edition]) => ({ view, profile: edition.profile }))];
    },
    /** Returns what a token may read: null for the whole profile, the names of views, and that of the public part. */
    names: (): readonly (string | null)[] => [null, ...profile.views().names, publicView],
  };
}

/**
 * Returns a function to call after each reload. It passes the editions that were made before to `compare`, each with its
 * view: the whole profile at once, null before the first, and then a view in each turn of the event loop, because all of
 * them may take a second. A view that waits during another reload keeps the edition that its readers know.
 */
export function comparisonOf(
  { made }: Pick<ReturnType<typeof openEditions>, 'made'>,
  compare: (view: string | null, before: Edition | null) => void,
): () => void {
  const waiting = new Map<string | null, Edition>();

  async function compareViews(): Promise<void> {
    for (const [view, before] of waiting) {
      await nextTurn();
      waiting.delete(view);
      compare(view, before);
    }
  }

  return () => {
    const isComparing = waiting.size > 0;
    const before = made();
    for (const [view, edition] of before) if (view !== null && !waiting.has(view)) waiting.set(view, edition);
    compare(null, before.get(null) ?? null);
    if (!isComparing) void compareViews();
  };
}
