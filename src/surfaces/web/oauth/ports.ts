import type { Grants } from '../../../operations/oauth/grants.ts';
import type { VerificationCodes } from '../../../operations/oauth/verification-codes.ts';
import type { AuthorizationServer } from '../../oauth/authorization-server.ts';
import type { RequestPage } from './request-page.ts';

/** What the pages of the authorization server use. */
export interface OauthPorts {
  readonly server: AuthorizationServer;
  readonly grants: Grants;
  /** Null if addresses are not verified. */
  readonly codes: VerificationCodes | null;
}

/** What a page says besides what the request holds. */
export type Outcome = Partial<Pick<RequestPage, 'notice' | 'status' | 'headers'>> & {
  readonly typed?: string;
  readonly fault?: string;
};
