import { createHash } from 'node:crypto';
import { toEtag } from '../../operations/answers.ts';

/** Returns the strong entity tag of a content. */
export const etagOf = (content: string | Uint8Array): string =>
  toEtag(createHash('sha256').update(content).digest('base64url'));
