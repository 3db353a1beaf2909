import { LIMIT_MEASURES, LIMIT_SCOPES, LIMIT_WINDOWS, type LimitMeasure, type LimitScope, type LimitWindow } from '@weir/contracts';
import {
  BALANCE_SCOPE,
  bindRules,
  findWindow,
  isConcurrent,
  monthlyScope,
  planRules,
  readLimitRules,
  type BoundRule,
  type LimitedPlan,
  type LimitRule,
  type ReserveLimit,
} from '@weir/limits';

const NANO = 1_000n;
const NANO_PER_USD = 1e9;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Whole numbers from 0 up to a limit, the same for the same seed. */
export type Draw = (below: number) => number;

/** One limit of a history: which scope it counts in at a moment for a caller, and how much of it requests ask for. */
export type ModelLimit = {
  /** Of the table; null for a setting. */
  readonly row: { readonly scope: LimitScope; readonly measure: LimitMeasure; readonly window: LimitWindow | null } | null;
  readonly max: bigint | null;
  /** Of a request, in whole units of `unit`. */
  readonly asks: number;
  readonly unit: bigint;
  /** Nothing of it is ever spent. */
  readonly isRunning: boolean;
  readonly place: (atMs: number, caller: number) => Pick<ReserveLimit, 'scope' | 'past'>;
};

/** Zones in which clocks are set forward and back, by half an hour in one of them, and one in which they are not. */
const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'];

/** Those who send requests: in one group, and apart in everything else that limits can count apart. */
const CALLERS = ['ann', 'ben'].map((name) => ({
  key: {
    ...{ apiKeyId: `key-of-${name}`, name, userId: name, groupId: 'group' },
    ...{ apiKeyLabels: { team: name }, groupLabels: { team: 'all' } },
  },
  endUserId: `user of ${name}`,
}));
export const CALLERS_COUNT = CALLERS.length;

/** What one history is played with. */
export type ModelRules = {
  /** Where clocks are set forward or back soon after; now where they never are. */
  readonly startsAtMs: number;
  readonly limits: readonly ModelLimit[];
};

type Pair = { readonly measure: LimitMeasure; readonly window: LimitWindow };

const isOfMoment = ({ name }: { readonly name: LimitMeasure }): boolean => isConcurrent(name);
const PAIRS: readonly Pair[] = LIMIT_WINDOWS.flatMap(({ name: window }) =>
  LIMIT_MEASURES.filter((row) => !isOfMoment(row)).map(({ name: measure }) => ({ measure, window })),
);
/** So many histories have every measure in every window; each of them has all measures, all windows and all scopes. */
export const HISTORIES_OF_ALL = 3;

/** The limits of history `turn`: those that are settings, a third of all measures in all windows, and what runs at a moment. */
export function openModelRules(turn: number, nowMs: number, draw: Draw): ModelRules {
  const timeZone = ZONES[draw(ZONES.length)] ?? 'UTC';
  const startsAtMs = beforeChange(timeZone, nowMs, draw);
  const windowed = PAIRS.filter((_, index) => (index + turn) % HISTORIES_OF_ALL === 0);
  const running = LIMIT_MEASURES.filter(isOfMoment).map(({ name: measure }) => ({ measure, window: null }));
  const rules = [...windowed, ...running].map(({ measure, window }, index) => {
    const scope = (LIMIT_SCOPES[(index + turn) % LIMIT_SCOPES.length] ?? LIMIT_SCOPES[0]).name;
    const isCounted = draw(6) === 0;
    return modelRule(index, {
      scope,
      measure,
      window,
      timeZone,
      startsAtMs,
      isCounted,
      times: window === null ? 2 + draw(5) : 4 + draw(40),
    });
  });
  return { startsAtMs, limits: [...settings(), ...rules] };
}

/** Some hours before a day that has not 24 of them. */
function beforeChange(timeZone: string, nowMs: number, draw: Draw): number {
  for (let atMs = nowMs; atMs < nowMs + 366 * DAY_MS; atMs += DAY_MS) {
    const { startMs = 0, endMs = DAY_MS } = findWindow('day', atMs, timeZone) ?? {};
    if (endMs - startMs !== DAY_MS) return Math.max(nowMs, startMs - draw(30) * HOUR_MS);
  }
  return nowMs;
}

function settings(): ModelLimit[] {
  const money = (maxNano: number, place: ModelLimit['place']): ModelLimit => ({
    ...{ row: null, max: BigInt(maxNano) * NANO, asks: ASKS.usd, unit: NANO, isRunning: false },
    place,
  });
  return [
    money(200_000, (atMs, caller) => ({ scope: monthlyScope('key', `k${caller}`, atMs) })),
    money(250_000, (atMs, caller) => ({ scope: monthlyScope('group_member', `g/${caller}`, atMs) })),
    money(300_000, (atMs) => ({ scope: monthlyScope('group', 'g', atMs) })),
    money(350_000, () => ({ scope: BALANCE_SCOPE })),
  ];
}

/** What one request uses of each at most. */
const ASKS: Readonly<Record<LimitMeasure, number>> = {
  ...{ usd: 4_000, requests: 1, input_tokens: 500, output_tokens: 700, tokens: 900 },
  ...{ concurrent_requests: 1, concurrent_streams: 1 },
};

type Made = {
  readonly scope: LimitScope;
  readonly measure: LimitMeasure;
  readonly window: LimitWindow | null;
  readonly timeZone: string;
  readonly startsAtMs: number;
  /** It refuses nothing. */
  readonly isCounted: boolean;
  /** How many usual requests fit. */
  readonly times: number;
};

/** A row of the table, read, bound and planned as admission does it. */
function modelRule(index: number, { scope, measure, window, timeZone, startsAtMs, isCounted, times }: Made): ModelLimit {
  const asks = ASKS[measure];
  const amount = Math.ceil((times * (asks + 1)) / 2);
  const document = {
    ...{ scope, measure, action: isCounted ? 'alert' : 'refuse' },
    ...{ amount: measure === 'usd' ? (amount / NANO_PER_USD).toFixed(9) : String(amount) },
    ...(window === null ? {} : { window }),
    ...(scope.endsWith('_label') ? { label: 'team' } : {}),
  };
  const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const [rule] = readLimitRules([{ id, name: id, version: 1, document, createdAtMs: startsAtMs }], {
    createMatcher: () => () => true,
    timeZone,
  });
  const bound = CALLERS.map((caller) => bind(rule as LimitRule, caller.key));
  return {
    ...{
      row: { scope, measure, window },
      max: isCounted ? null : (rule as LimitRule).amount,
      asks,
      unit: measure === 'usd' ? NANO : 1n,
      isRunning: isConcurrent(measure),
    },
    place: (atMs, caller) => {
      const endUserId = CALLERS[caller]?.endUserId ?? null;
      const [planned] = planRules(bound[caller] ?? [], { atMs, endUserId, isStream: true });
      if (planned === undefined) throw new Error(`${scope} ${measure} binds no one`);
      return { scope: planned.scope, ...(planned.past === undefined ? {} : { past: planned.past }) };
    },
  };
}

function bind(rule: LimitRule, key: LimitedPlan['key']): readonly BoundRule[] {
  return bindRules([rule], { key, modality: 'chat', attempts: [{ modelId: 'a/m', providerId: 'a' }] });
}
