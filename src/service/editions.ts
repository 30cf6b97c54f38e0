import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Profile } from 'resume-profile/profile-document';
import { publicView } from 'resume-profile/view-fields';
import type { LiveProfile } from '../adapters/profile/profile-address.ts';
import type { IssuedToken } from '../model/token.ts';
import type { Edition } from '../operations/ports.ts';
import { publicPartOf } from '../surfaces/web/public/public-profile.ts';

interface EditionOptions {
  readonly profile: Pick<LiveProfile, 'current' | 'views'>;
  viewOf(token: IssuedToken): string | null;
  /** Returns the link to the resume in a view, null if the view has no PDF, and until when it stays the same, in milliseconds. */
  linkTo(view: string | null): { readonly url: string | null; readonly until: number };
  readonly now: () => Date;
}

const dayMilliseconds = 24 * 60 * 60 * 1_000;

/** Opens the editions, by view. Each is the same object until profile, link or day change: answers are cached per edition. */
export function openEditions({ profile, viewOf, linkTo, now }: EditionOptions) {
  let latest: { readonly source: Profile; readonly editions: Map<string | null, Edition> } | undefined;

  function profileOf(view: string | null): Profile {
    const source = profile.current();
    if (view === null) return source;
    return (view === publicView ? null : profile.views().resolve(view)) ?? publicPartOf(source);
  }

  /** The end of each edition's validity, in milliseconds since 1970. */
  let untils = new WeakMap<Edition, number>();

  function toEdition(served: Profile, view: string | null, at: Date): Edition {
    const { url, until } = linkTo(view);
    const edition = { profile: served, resumeUrl: served.resume.pdf_url ?? url, today: at.toISOString().slice(0, 10) };
    untils.set(edition, Math.min(until, (Math.floor(at.getTime() / dayMilliseconds) + 1) * dayMilliseconds));
    return edition;
  }

  const namedOrPublic = (view: string | null) => (view === null || profile.views().names.has(view) ? view : publicView);

  /** Returns the edition of a view, or of the public part if the profile no longer has the view. */
  function ofView(named: string | null): Edition {
    const source = profile.current();
    if (latest?.source !== source) latest = { source, editions: new Map() };
    const view = namedOrPublic(named);
    const before = latest.editions.get(view);
    const at = now();
    if (before !== undefined && at.getTime() < (untils.get(before) ?? 0)) return before;
    const edition = toEdition(before?.profile ?? profileOf(view), view, at);
    if (before?.resumeUrl === edition.resumeUrl && before.today === edition.today) {
      untils.set(before, untils.get(edition)!);
      return before;
    }
    latest.editions.set(view, edition);
    return edition;
  }

  return {
    ofView,
    /** Updates the link of each edition, because the signing key may have changed. */
    renewLinks(): void {
      untils = new WeakMap();
    },
    /** Returns the edition of an unpublished profile, as if it were published. */
    ofUnpublished: (unpublished: Profile): Edition => toEdition(unpublished, null, now()),
    viewOf: (token: IssuedToken): string | null => namedOrPublic(viewOf(token)),
    edition: (token: IssuedToken | null): Edition => ofView(token === null ? null : viewOf(token)),
    /** Passes on each edition before a reload: the whole at once, then a view in each turn, because all may take a second. */
    async compare(passTo: (view: string | null, before: Edition | null) => void): Promise<void> {
      const before = latest?.editions ?? new Map<string | null, Edition>();
      const views = [...before].filter(([view]) => view !== null);
      passTo(null, before.get(null) ?? null);
      for (const [view, edition] of views) {
        await nextTurn();
        passTo(view, edition);
      }
    },
    /** Returns the served profiles: the published one, whose view is null, and each view that somebody has read. */
    served(): readonly { readonly view: string | null; readonly profile: Profile }[] {
      const source = profile.current();
      const views = latest?.source === source ? [...latest.editions].filter(([view]) => view !== null) : [];
      return [{ view: null, profile: source }, ...views.map(([view, edition]) => ({ view, profile: edition.profile }))];
    },
    /** Returns the possible views of a token: null for the whole profile, the names of views, and `public`. */
    names: (): readonly (string | null)[] => [null, ...profile.views().names, publicView],
  };
}
