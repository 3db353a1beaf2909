import type { ChangeNotices, ConfigChange, KeyPeppers, Principal, ProcessReports } from '@weir/access';
import type { Database, DatabaseLog, OrganizationDatabases } from '@weir/database';
import type { GuardedFetcher } from '@weir/guarded-fetch';
import type { ModelCatalog } from '@weir/model-catalog';
import type { Vault } from '@weir/sealing';
import type { UsageStore } from '@weir/usage';
import type { Request } from 'express';
import type { IdentityProvider } from '../ports/identity-provider';
import type { ProviderAccounts } from '../ports/provider-accounts';
import type { SecretAlerts } from '../ports/secret-alerts';

/** What this service is composed of. */
export type ManagementParts = {
  readonly database: Database;
  readonly usageStore: UsageStore;
  /** Returns whose key the request carries, or throws the error that the caller should get. */
  readonly authenticate: (request: Pick<Request, 'headers'>) => Promise<Principal>;
  readonly changeNotices: ChangeNotices;
  /** Among many changes of one transaction: keeps what caches must forget for its end. Absent: it is written with each change. */
  readonly noteChange?: (change: Omit<ConfigChange, 'sequence'>) => void;
  /** Which models there are: what access lists, policies and aliases may name. */
  readonly catalog: ModelCatalog;
  /** Seals provider credentials. */
  readonly vault: Vault;
  /** Whether webhooks could be sent to an address; without it that shows when the first one is sent. */
  readonly urlGuard?: Pick<GuardedFetcher, 'check'>;
  /** Whether the gateway has a mail server, so that alerts may be sent by e-mail. */
  readonly sendsEmail?: boolean;
  /** How long a test of an alert waits for what happens; 15 s unless given. */
  readonly alertTestMs?: number;
  /** Absent where no one who calls providers can be asked: credentials are then kept as they are given and cannot be tested. */
  readonly providerAccounts?: ProviderAccounts;
  /** What processes that call providers report of them; absent: nothing is known of any. */
  readonly processReports?: Pick<ProcessReports, 'list'>;
  /** Keys are stored only as HMAC-SHA256 under the one in force, and under the one before while there is one. */
  readonly peppers: KeyPeppers;
  /** The middle word of new keys, `weir_<word>_…`; `live` by default. */
  readonly keyEnvironment?: string;
  /** Takes reports of keys that were found in public; absent: from no one. */
  readonly secretAlerts?: SecretAlerts | undefined;
  /** Where people sign in. */
  readonly identityProvider: IdentityProvider;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  readonly log: DatabaseLog;
};

/** What a route is given: of the database, only `asOrganization`. */
export type RouteParts = Omit<ManagementParts, 'database'> & { readonly database: OrganizationDatabases };
