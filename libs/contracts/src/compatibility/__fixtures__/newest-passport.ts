import type { Attempt, Passport, PassportHold } from '../../internal/passport';
import firstPassport from './passport.2026-11.json';

// With every field there is today: the compiler asks for the next one.

const attempt: Required<Attempt> = {
  ...(firstPassport.attempts[0] as Attempt),
  credentialId: '44444444-4444-4444-8444-444444444444',
  credentialName: 'team key',
  why: 'policy/cheap',
  accountId: 'second',
  credential: 'sealed',
  firstContentMs: 20_000,
  idleMs: 30_000,
};

const hold: Required<PassportHold> = {
  ...(firstPassport.hold as PassportHold),
  scopes: ['limit:66666666-6666-4666-8666-666666666666:tokens:-:minute@1795262400'],
  amounts: ['1200'],
  uncounted: [[0]],
};

export const NEWEST_PASSPORT: Required<Passport> = {
  ...(firstPassport as unknown as Passport),
  attempts: [attempt],
  hold,
  freePlaceByMs: 1_795_262_400_000,
  chargesFailures: true,
  isZeroRetention: true,
  autoCache: '5m',
  searchModels: ['anthropic/claude-sonnet-4-5'],
  needs: [],
  priority: 'high',
  shares: { organization: 4, key: 2 },
  binding: { digest: 'of path and body', takenByMs: 1_795_262_400_000 },
  guardrails: [
    {
      ...{ id: '55555555-5555-4555-8555-555555555555', version: 1, name: 'g', action: 'mask', stage: 'both', onError: 'closed' },
      detectors: ['email'],
    },
  ],
};
