import type { RateLimiter } from '@weir/limits';
import type { KeyObject } from 'node:crypto';

/** The public keys by which a scanner for leaked keys signs what it reports. */
export type AlertKeys = {
  /** Undefined for an identifier that is not among them. Throws while they cannot be had at all. */
  find(identifier: string): Promise<KeyObject | undefined>;
};

/** What became of a reported token or of the report itself. */
type SecretAlertOutcome = 'revoked' | 'known' | 'unknown' | 'refused';

export type SecretAlerts = {
  readonly keys: AlertKeys;
  /** Counts reports with a wrong signature, by address. */
  readonly refusals: RateLimiter;
  readonly count: (outcome: SecretAlertOutcome) => void;
};
