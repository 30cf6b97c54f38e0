import type { Operation } from '../../../operations/operation.ts';
import type { Services } from '../../../operations/ports.ts';
import type { Examples } from '../../examples.ts';
import type { OpenApi } from '../../rest/openapi.ts';
import type { Site } from '../page.ts';

/** What the reference is generated from. */
export interface Reference {
  readonly site: Site;
  readonly operations: readonly Operation[];
  readonly examples: Examples;
  readonly document: OpenApi;
  /** Services over the sample profile, which store nothing. */
  readonly sample: Services;
  /** Whether agents may use the operations that change something. */
  readonly mutations: boolean;
  /** The factor of every quota; infinite turns them off. */
  readonly limits: number;
  readonly version: string;
  /** Whether the candidate sees what visitors read. */
  readonly isRecorded: boolean;
  /** The text of a program that uses the typed client. */
  readonly clientExample: string;
}
