import type { Attempt, Passport } from '../../internal/passport';
import firstPassport from './passport.2026-11.json';

// With every field there is today: the compiler asks for the next one.

const attempt: Required<Attempt> = {
  ...(firstPassport.attempts[0] as Attempt),
  credentialId: '44444444-4444-4444-8444-444444444444',
  credentialName: 'team key',
  why: 'policy/cheap',
  credential: 'sealed',
};

export const NEWEST_PASSPORT: Required<Passport> = {
  ...(firstPassport as unknown as Passport),
  attempts: [attempt],
  freePlaceByMs: 1_795_262_400_000,
  chargesFailures: true,
  isZeroRetention: true,
  autoCache: '5m',
  searchModels: ['anthropic/claude-sonnet-4-5'],
  needs: [],
  binding: { digest: 'of path and body', takenByMs: 1_795_262_400_000 },
  guardrails: [
    {
      ...{ id: '55555555-5555-4555-8555-555555555555', version: 1, name: 'g', action: 'mask', stage: 'both', onError: 'closed' },
      detectors: ['email'],
    },
  ],
};
