import type { ChangeNotices, Principal } from '@weir/access';
import type { Database, DatabaseLog } from '@weir/database';
import type { UsageStore } from '@weir/usage';
import type { Request } from 'express';
import type { IdentityProvider } from './offboarding/identity-provider';

/** What this service is composed of. */
export type ManagementParts = {
  readonly database: Database;
  readonly usageStore: UsageStore;
  /** Answers whose key the request carries, or throws what the caller should see. */
  readonly authenticate: (request: Request) => Promise<Principal>;
  readonly changeNotices: ChangeNotices;
  /** Keys are stored only as HMAC-SHA256 under it. */
  readonly pepper: string;
  readonly pepperVersion?: number;
  /** The middle word of new keys, `weir_<word>_…`; `live` unless told. */
  readonly keyEnvironment?: string;
  /** Where people sign in; absent when nothing but this database knows them. */
  readonly identityProvider?: IdentityProvider;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly log: DatabaseLog;
};
