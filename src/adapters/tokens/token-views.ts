import { publicView, wholeView } from 'resume-profile/view-fields';
import type { IssuedToken } from '../../model/token.ts';
import { type Visitor, visitorKeyOf } from '../../model/visitor.ts';

/** A token that was not issued for a grant, or a grant with its tokens. */
export type ViewTarget =
  | { readonly kind: 'jti'; readonly jti: string }
  | { readonly kind: 'grant'; readonly id: string };

/** The views of the tokens that do not read the whole profile. */
export interface TokenViewStore {
  readonly tokenViews: {
    /**
     * Returns the view names of tokens, grants and links that have not ended, by the id of a token or grant or the key
     * of a link.
     */
    list(now: Date): Promise<ReadonlyMap<string, string>>;
    /** Null for the whole profile. */
    set(target: ViewTarget, view: string | null): Promise<void>;
  };
}

/** Opens this process's copy of the views of tokens; `refresh` reads the views that other processes have set. */
export async function openTokenViews({ tokenViews }: TokenViewStore, now: () => Date) {
  let views: ReadonlyMap<string, string> = new Map();
  let begun = 0;
  let latest = 0;

  async function refresh(): Promise<void> {
    const turn = ++begun;
    const read = await tokenViews.list(now());
    // A refresh that began earlier and ends later has read older views.
    if (turn < latest) return;
    latest = turn;
    views = read;
  }

  await refresh();
  return {
    refresh,
    /** Reads the views again if a visitor came through a link that was made since the last refresh, or has ended. */
    async learn(subject: Visitor): Promise<void> {
      if (subject.kind === 'link' && !views.has(visitorKeyOf(subject))) await refresh();
    },
    async set(target: ViewTarget, view: string | null): Promise<void> {
      await tokenViews.set(target, view);
      await refresh();
    },
    /** Returns the name of the view that a token reads; null for the whole profile. */
    viewOf({ jti, grantId, subject }: IssuedToken): string | null {
      const own = views.size === 0 ? undefined : (views.get(jti) ?? (grantId ? views.get(grantId) : undefined));
      // A link that has ended is not known.
      const usual = subject.kind === 'link' ? (views.get(visitorKeyOf(subject)) ?? publicView) : wholeView;
      const view = own ?? usual;
      return view === wholeView ? null : view;
    },
    /** Returns the name of each view that a token, grant or link has. */
    names: (): ReadonlySet<string> => new Set(views.values()),
  };
}
