import { answerTo } from '../../operations/answers.ts';
import { namesOf, offeredIn } from '../../operations/offered.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Edition, Services } from '../../operations/ports.ts';
import { resourcesOf } from './catalogue.ts';

/** What clients are notified of when one edition replaces another. */
export interface Changes {
  /** The URIs of the resources whose entity tags differ, or that only one of the editions offers. */
  readonly resources: readonly string[];
  /** Whether the editions offer different tools and resources. */
  readonly isListChanged: boolean;
}

/** Returns what differs between two editions. */
export function changesBetween(
  before: Edition,
  after: Edition,
  operations: readonly Operation[],
  services: Pick<Services, 'hash'>,
): Changes {
  const etagsIn = (edition: Edition) =>
    new Map(
      [...resourcesOf(offeredIn(operations, edition.profile))].map(([uri, { operation, input }]) => [
        uri,
        answerTo(operation, input, edition, services).etag,
      ]),
    );
  const namesIn = ({ profile }: Edition) => namesOf(offeredIn(operations, profile));
  const [old, latest] = [etagsIn(before), etagsIn(after)];
  return {
    resources: [...resourcesOf(operations).keys()].filter((uri) => old.get(uri) !== latest.get(uri)),
    isListChanged: namesIn(before) !== namesIn(after),
  };
}
