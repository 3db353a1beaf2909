import { BALANCE_SCOPE, monthlyScope, nameLimitScope, type LimitScopeParts, type ReserveLimit } from '@weir/limits';

const NANO = 1000n;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** One limit of the model: which scope it counts in at a moment, and how much of it requests ask for. */
export type ModelLimit = {
  readonly max: bigint | null;
  /** Of a request, in whole units of `unit`. */
  readonly asks: number;
  readonly unit: bigint;
  /** Nothing of it is ever spent. */
  readonly isRunning: boolean;
  readonly place: (atMs: number, bornMs: number) => Pick<ReserveLimit, 'scope' | 'past'>;
};

type Rule = Pick<LimitScopeParts, 'measure' | 'window'> & {
  readonly stepMs?: number;
  readonly steps?: number;
  readonly partition?: string;
};

function rule(id: number, { measure, window, stepMs, steps = 0, partition = '-' }: Rule): ModelLimit['place'] {
  const limitId = `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
  const nameAt = (startMs: number | null): string => nameLimitScope({ limitId, measure, partition, window, startMs });
  return (atMs, bornMs) => {
    if (stepMs === undefined) return { scope: nameAt(null) };
    const startMs = Math.floor(atMs / stepMs) * stepMs;
    const past = Array.from({ length: steps }, (_, index) => startMs - (index + 1) * stepMs).filter((each) => each + stepMs > bornMs);
    return { scope: nameAt(startMs), ...(past.length === 0 ? {} : { past: past.map(nameAt) }) };
  };
}

/** Every measure and every kind of window, some only counted. Each is small enough to be full most of the time. */
export const MODEL_LIMITS: readonly ModelLimit[] = [
  money(200_000, (atMs) => ({ scope: monthlyScope('key', 'k', atMs) })),
  money(300_000, () => ({ scope: BALANCE_SCOPE })),
  money(20_000, rule(1, { measure: 'usd', window: 'day', stepMs: DAY_MS })),
  money(25_000, rule(2, { measure: 'usd', window: '30d', stepMs: DAY_MS, steps: 30 })),
  money(null, rule(3, { measure: 'usd', window: 'week', stepMs: 7 * DAY_MS })),
  counted({ max: 12n, asks: 1 }, rule(4, { measure: 'requests', window: 'minute', stepMs: MINUTE_MS })),
  counted({ max: 9_000n, asks: 900 }, rule(5, { measure: 'tokens', window: 'minute', stepMs: MINUTE_MS, partition: 'Digest_of-a-user' })),
  counted({ max: 30_000n, asks: 900 }, rule(6, { measure: 'tokens', window: 'hour', stepMs: HOUR_MS })),
  counted({ max: 8_000n, asks: 500 }, rule(7, { measure: 'input_tokens', window: '24h', stepMs: HOUR_MS, steps: 24 })),
  counted({ max: 60_000n, asks: 700 }, rule(8, { measure: 'output_tokens', window: 'total' })),
  counted({ max: null, asks: 700 }, rule(9, { measure: 'output_tokens', window: 'total' })),
  running(6n, rule(10, { measure: 'concurrent_requests', window: null })),
  running(3n, rule(11, { measure: 'concurrent_streams', window: null })),
];

function money(maxNano: number | null, place: ModelLimit['place']): ModelLimit {
  return { max: maxNano === null ? null : BigInt(maxNano) * NANO, asks: 4_000, unit: NANO, isRunning: false, place };
}

function counted(amounts: Pick<ModelLimit, 'max' | 'asks'>, place: ModelLimit['place']): ModelLimit {
  return { ...amounts, unit: 1n, isRunning: false, place };
}

function running(max: bigint, place: ModelLimit['place']): ModelLimit {
  return { max, asks: 1, unit: 1n, isRunning: true, place };
}
