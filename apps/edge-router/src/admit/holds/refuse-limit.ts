import type { LimitMeasure, LimitWindow } from '@weir/contracts';
import type { ErrorCode, RefusingLimit } from '@weir/errors';
import type { PlannedLimit } from '@weir/limits';
import { amountOfLimit, describeLimit, formatAmount, type DescribedLimit } from './describe-limit';
import { LimitRefusal } from './limit-refusal';

type Refused = {
  readonly limit: PlannedLimit;
  readonly remaining: bigint;
  /** The most that the request can use of it. */
  readonly asked: bigint;
  /** When the request was admitted, and what time it is now. UTC epoch milliseconds. */
  readonly atMs: number;
  readonly nowMs: number;
};

type Facts = { readonly described: DescribedLimit; readonly reported: RefusingLimit; readonly refused: LimitRefusal['refused'] };

/** What frees within a day, or with the next request that ends, is worth waiting for: 429. The rest is not: 412. */
const IS_WAITED_FOR: Readonly<Record<LimitWindow, boolean>> = {
  ...{ minute: true, hour: true, day: true, '24h': true },
  ...{ week: false, month: false, '30d': false, total: false },
};
/** How long a request that ends is waited for. */
const END_AWAITED_SECONDS = 1;

/** The refusal of a request that does not fit what is left: it names the limit, what is used of it, and when it frees. */
export function refuseLimit({ limit, remaining, asked, atMs, nowMs }: Refused): LimitRefusal {
  const described = describeLimit(limit, atMs);
  const reported = reportLimit(described, { max: amountOfLimit(limit), remaining, asked });
  const facts = { described, reported, refused: { limit, remaining } };
  if (limit.rule === undefined) return refuseSetting(facts);
  const code = codeOf(described);
  const details = code === 'rate_limited' ? { retryAfterSeconds: waitFor(described, nowMs) } : {};
  return new LimitRefusal(code, writeMessage(facts), { limit: reported, ...details }, facts.refused);
}

type Amounts = { readonly max: bigint; readonly remaining: bigint; readonly asked: bigint | null };

/** A limit, as the error of a request that it refused shows it. */
export function reportLimit({ id, name, scope, measure, window, freesAtMs }: DescribedLimit, amounts: Amounts): RefusingLimit {
  const format = (amount: bigint): string => formatAmount(measure, amount);
  return {
    ...{ id, name, scope, measure, window },
    limit: format(amounts.max),
    used: format(amounts.max - amounts.remaining),
    remaining: format(amounts.remaining),
    asked: amounts.asked === null ? null : format(amounts.asked),
    frees_at: freesAtMs === null ? null : new Date(freesAtMs).toISOString(),
  };
}

function codeOf({ measure, window }: DescribedLimit): ErrorCode {
  if (window === null || IS_WAITED_FOR[window]) return 'rate_limited';
  return measure === 'usd' && (window === 'month' || window === '30d') ? 'monthly_limit_reached' : 'limit_reached';
}

function waitFor({ freesAtMs }: DescribedLimit, nowMs: number): number {
  return freesAtMs === null ? END_AWAITED_SECONDS : Math.max(1, (freesAtMs - nowMs) / 1000);
}

function refuseSetting({ described, reported, refused }: Facts): LimitRefusal {
  const { limit: max, used, remaining, asked } = reported;
  const about = `${used} USD is used or set aside, ${remaining} USD is left and the request may cost up to ${asked ?? '0'} USD`;
  if (refused.limit.kind === 'balance') {
    const message = `The balance of the organization does not cover this request: of ${max} USD, ${about}. Top up to go on.`;
    return new LimitRefusal('balance_exhausted', message, { limit: reported }, refused);
  }
  const message = `The monthly limit of ${described.about} (${max} USD) does not cover this request: ${about}. The limit starts anew on the first of the next month, UTC.`;
  return new LimitRefusal('monthly_limit_reached', message, { limit: reported }, refused);
}

const UNITS: Readonly<Record<LimitMeasure, string>> = {
  usd: 'USD',
  requests: 'requests',
  input_tokens: 'input tokens',
  output_tokens: 'output tokens',
  tokens: 'tokens',
  concurrent_requests: 'requests at a time',
  concurrent_streams: 'streams at a time',
};

const SPANS: Readonly<Record<LimitWindow, string>> = {
  ...{ minute: ' a minute', hour: ' an hour', day: ' a day', week: ' a week', month: ' a month' },
  ...{ '24h': ' in 24 hours', '30d': ' in 30 days', total: ' in all' },
};

function writeMessage({ described: { name, about, measure, window }, reported }: Facts): string {
  const { limit, used, remaining, asked } = reported;
  const allowed = `${limit} ${UNITS[measure]}${window === null ? '' : SPANS[window]}`;
  const state = `${used} used or set aside, ${remaining} left, and the request may use up to ${asked ?? '0'}`;
  return `The limit "${name}" of ${about} (${allowed}) does not cover this request: ${state}. ${writeEnd(window, reported)}`;
}

function writeEnd(window: LimitWindow | null, { frees_at: freesAt }: RefusingLimit): string {
  if (window === null) return 'It frees when one of those that run has ended.';
  return freesAt === null ? 'It does not free by itself: an administrator can raise it.' : `It begins to free at ${freesAt}.`;
}
