import type { ScopeBase } from './hold-store';

/** What is committed: where counters start from, and what they are compared with. */
export type HoldTruth = {
  /** One base per scope, in any order; a scope of which nothing was spent has base and version 0. */
  readBases(organizationId: string, scopes: readonly string[]): Promise<readonly ScopeBase[]>;
  /** Those of the holds whose request has been counted to its end. */
  findCommitted(organizationId: string, holdIds: readonly string[]): Promise<ReadonlySet<string>>;
};
