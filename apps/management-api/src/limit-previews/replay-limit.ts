import { LIMIT_WINDOWS } from '@weir/contracts';
import type { AdmittedAttempt } from '@weir/database';
import { parseLimitScope, planRules, type LimitRule, type PlannedLimit, type PlannedRule } from '@weir/limits';
import { createAttemptBinder, type LabelSets } from './bind-attempts';
import { createFullestWindows, type WindowPeak } from './fullest-windows';
import { createLimitCounters } from './limit-counters';
import { spendOfRequest } from './request-spend';

const EXAMPLES_MAX = 20;

/** Whom a request is of, as the limit counts them apart. */
export type Bearer = {
  readonly partition: string;
  /** As its caller named the end user; null elsewhere. */
  readonly endUserId: string | null;
};

export type RefusedRequest = Bearer & {
  readonly requestId: string;
  readonly admittedAtMs: number;
  /** What was used when it came, and what it needed. */
  readonly used: bigint;
  readonly needed: bigint;
};

type DayCounts = { bound: number; refused: number };

export type Replayed = {
  readonly requests: number;
  readonly bound: number;
  readonly refused: number;
  /** By date in the time zone of the limit. */
  readonly days: ReadonlyMap<string, DayCounts>;
  readonly examples: readonly RefusedRequest[];
  readonly fullest: readonly WindowPeak<Bearer>[];
};

type Request = readonly [AdmittedAttempt, ...AdmittedAttempt[]];

export type LimitReplay = {
  /** Attempts in the order of admission, those of a request one after the other. */
  take(attempts: readonly AdmittedAttempt[]): void;
  end(): Replayed;
};

/** Plays requests against one limit by the rules of admission. What a refused request used, it would not have used. */
export function createLimitReplay(
  rule: LimitRule,
  { labelSets, dateOf }: { readonly labelSets: LabelSets; readonly dateOf: (atMs: number) => string },
): LimitReplay {
  const bind = createAttemptBinder([rule], labelSets);
  const counters = createLimitCounters();
  const fullest = createFullestWindows<Bearer>();
  const days = new Map<string, DayCounts>();
  const examples: RefusedRequest[] = [];
  const total = { requests: 0, bound: 0, refused: 0 };
  let pending: [AdmittedAttempt, ...AdmittedAttempt[]] | undefined;

  const count = (admittedAtMs: number, isRefused: boolean): void => {
    const date = dateOf(admittedAtMs);
    const day = days.get(date) ?? { bound: 0, refused: 0 };
    days.set(date, day);
    for (const sums of [total, day]) {
      sums.bound += 1;
      if (isRefused) sums.refused += 1;
    }
  };

  const admit = (request: Request, limit: RuleLimit): void => {
    const [{ requestId, admittedAtMs }] = request;
    const { amount, action, counted } = limit.rule;
    const needed = spendOfRequest(limit.scope, request, counted);
    const used = counters.read(limit, admittedAtMs);
    const isRefused = used + needed > amount;
    count(admittedAtMs, isRefused);
    const bearer = bearerOf(limit, request);
    if (isRefused && examples.length < EXAMPLES_MAX) examples.push({ ...bearer, requestId, admittedAtMs, used, needed });
    // A limit that only alerts refuses nothing, and so counts all.
    if (isRefused && action !== 'alert') return;
    counters.add(limit, { amount: needed, admittedAtMs, endedAtMs: Math.max(...request.map(({ endedAtMs }) => endedAtMs)) });
    fullest.add({ ...bearer, ...nameWindow(limit), used: used + needed });
  };

  const finish = (): void => {
    if (pending === undefined) return;
    total.requests += 1;
    const [{ admittedAtMs, endUserId, isStream }] = pending;
    const [limit] = planRules(bind(pending), { atMs: admittedAtMs, endUserId, isStream });
    if (limit?.rule !== undefined) admit(pending, { ...limit, rule: limit.rule });
    pending = undefined;
  };

  return {
    take: (attempts) => {
      for (const attempt of attempts) {
        if (pending !== undefined && pending[0].requestId !== attempt.requestId) finish();
        if (pending === undefined) pending = [attempt];
        else pending.push(attempt);
      }
    },
    end: () => {
      finish();
      return { ...total, days, examples, fullest: fullest.list() };
    },
  };
}

type RuleLimit = PlannedLimit & { readonly rule: PlannedRule };

function bearerOf({ scope, rule }: RuleLimit, [{ endUserId }]: Request): Bearer {
  return { partition: parseLimitScope(scope)?.partition ?? '', endUserId: rule.scope === 'end_user' ? endUserId : null };
}

const ROLLING: ReadonlySet<string | null> = new Set(LIMIT_WINDOWS.filter(({ rolling }) => rolling !== null).map(({ name }) => name));

/** Windows of the calendar are counted apart; a rolling one, the total and what runs at a moment each are one. */
function nameWindow({ scope, past, rule }: RuleLimit): Pick<WindowPeak<unknown>, 'key' | 'startMs' | 'endMs'> {
  const startMs = parseLimitScope(past?.at(-1) ?? scope)?.startMs ?? null;
  const key = ROLLING.has(rule.window) ? (parseLimitScope(scope)?.partition ?? scope) : scope;
  return { key, startMs, endMs: rule.freesAtMs };
}
