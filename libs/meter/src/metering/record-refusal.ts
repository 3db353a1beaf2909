import { NO_USAGE } from '@weir/canonical';
import type { Passport } from '@weir/contracts';
import type { ClosingFacts, Meter } from '../meter';
import { openAttempt } from './open-attempt';

type RefusalFacts = Omit<ClosingFacts, 'usage' | 'measured' | 'isLogical' | 'isUncharged'>;

/** Journals a request that guardrails refused before any provider was called: one request that cost nothing. */
export function recordRefusal(meter: Meter, passport: Passport, facts: RefusalFacts): void {
  openAttempt(meter, passport, { index: 0, promptEstimate: 0 }).close({ usage: NO_USAGE, isLogical: true, ...facts });
}
