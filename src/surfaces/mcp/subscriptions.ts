/** How many subscriptions may be open at a time. */
export interface SubscriptionLimits {
  readonly perSubject: number;
  readonly perBlock: number;
  readonly inAll: number;
}

/** Those of a service whose LIMITS is 1. */
export const subscriptionLimits: SubscriptionLimits = { perSubject: 2, perBlock: 20, inAll: 200 };

/** An open subscription; `end` ends its stream. */
export interface Subscription {
  readonly subject: string;
  readonly block: string;
  /** Whether its token is still good. */
  isAuthorized(): boolean;
  end(reason: 'limit' | 'token'): void;
}

/** The open subscriptions, oldest first. */
export interface Subscriptions {
  /**
   * Adds one, and ends the oldest of its block if that is full, or of the block that holds most if all places are taken.
   * Returns false, and adds nothing, if the subject has as many as it may.
   */
  add(subscription: Subscription): boolean;
  delete(subscription: Subscription): void;
  /** Ends those whose token has ended. */
  endUnauthorized(): void;
}

/** Keeps the open subscriptions within the limits, so that no network block can take all places. */
export function openSubscriptions({ perSubject, perBlock, inAll }: SubscriptionLimits): Subscriptions {
  const open = new Set<Subscription>();

  function oldestToEnd(block: string): Subscription | undefined {
    const ofBlock = [...open].filter((one) => one.block === block);
    if (ofBlock.length >= perBlock) return ofBlock[0];
    if (open.size < inAll) return undefined;
    const blocks = [...Map.groupBy(open, (one) => one.block).values()];
    return blocks.reduce((largest, other) => (other.length > largest.length ? other : largest))[0];
  }

  function end(subscription: Subscription, reason: 'limit' | 'token'): void {
    open.delete(subscription);
    subscription.end(reason);
  }

  return {
    add(subscription) {
      if ([...open].filter(({ subject }) => subject === subscription.subject).length >= perSubject) return false;
      const ended = oldestToEnd(subscription.block);
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
