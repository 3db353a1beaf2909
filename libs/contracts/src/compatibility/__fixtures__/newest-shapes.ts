import type { UsageEvent } from '../../events/usage-event';
import type { Attempt, Passport } from '../../internal/passport';
import firstEvent from './usage-event.2026-11.json';
import firstPassport from './passport.2026-11.json';

// With every field there is today: the compiler asks for the next one.

const units: Required<UsageEvent['units']> = { ...firstEvent.units, image_in: 3, image_out: 4 };

export const NEWEST_EVENT: Required<UsageEvent> = {
  ...(firstEvent as UsageEvent),
  units,
  guardrail: 'masked',
  why: 'policy/cheap',
  error_code: 'provider_overloaded',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  uncharged: { units, cost_p: '7' },
  doubted: units,
};

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
