/** How many subscriptions may be open at the same time. */
export interface SubscriptionLimits {
  readonly perSubject: number;
  readonly perBlock: number;
  readonly total: number;
}

/** The limits if LIMITS is 1. */
export const subscriptionLimits: SubscriptionLimits = { perSubject: 2, perBlock: 20, total: 200 };

/** An open subscription stream; `end` closes it. */
export interface Subscription {
  readonly subject: string;
  readonly block: string;
  /** The widest network around the block. */
  readonly network: string;
  /** Whether its token is still valid. */
  isAuthorized(): boolean;
  end(reason: 'limit' | 'token'): void;
}

/** The open subscriptions, oldest first. */
export interface Subscriptions {
  /**
   * Adds a subscription; ends the oldest of its block if the block is at its limit. If the total is, it ends the oldest of the block
   * with the most, in the network with the most. Returns false, and adds nothing, if the subject is at its limit.
   */
  add(subscription: Subscription): boolean;
  delete(subscription: Subscription): void;
  /** Ends the subscriptions whose token is not valid any more. */
  endUnauthorized(): void;
}

const largestOf = (groups: ReadonlyMap<string, Subscription[]>): readonly Subscription[] =>
  [...groups.values()].reduce((largest, other) => (other.length > largest.length ? other : largest));

/** Keeps the open subscriptions within the limits, so that one network can't use up the total. */
export function openSubscriptions({ perSubject, perBlock, total }: SubscriptionLimits): Subscriptions {
  const open = new Set<Subscription>();

  function oldestOverLimit(block: string): Subscription | undefined {
    const ofBlock = [...open].filter((one) => one.block === block);
    if (ofBlock.length >= perBlock) return ofBlock[0];
    if (open.size < total) return undefined;
    const ofNetwork = largestOf(Map.groupBy(open, (one) => one.network));
    return largestOf(Map.groupBy(ofNetwork, (one) => one.block))[0];
  }

  function end(subscription: Subscription, reason: 'limit' | 'token'): void {
    open.delete(subscription);
    subscription.end(reason);
  }

  return {
    add(subscription) {
      if ([...open].filter(({ subject }) => subject === subscription.subject).length >= perSubject) return false;
      const ended = oldestOverLimit(subscription.block);
      if (ended !== undefined) end(ended, 'limit');
      open.add(subscription);
      return true;
    },
    delete: (subscription) => void open.delete(subscription),
    endUnauthorized() {
      for (const subscription of open) if (!subscription.isAuthorized()) end(subscription, 'token');
    },
  };
}
