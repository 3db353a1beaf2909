import type { UsageEvent } from '@weir/contracts';
import firstEvent from './usage-event.2026-11.json';

const units: Required<UsageEvent['units']> = { ...firstEvent.units, image_in: 3, image_out: 4, searches_medium: 1, searches_high: 0 };

/** With every field there is today: the compiler asks for the next one. */
export const NEWEST_EVENT: Required<UsageEvent> = {
  ...(firstEvent as UsageEvent),
  units,
  guardrail: 'masked',
  stream: true,
  why: 'policy/cheap',
  error_code: 'provider_overloaded',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  uncharged: { units, cost_p: '7' },
  doubted: units,
  hold_uncounted: [1],
};
