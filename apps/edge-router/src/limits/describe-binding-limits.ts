import { parseLimitScope, parseScope, type PlannedLimit } from '@weir/limits';
import { amountOfLimit, BUILT_IN_LIMITS, describeLimit, formatAmount, type DescribedLimit } from '../admit/holds/describe-limit';
import type { BindingRule } from './find-binding-limits';
import type { LimitState } from './read-limit-states';

type Row = DescribedLimit & {
  readonly limit: bigint;
  readonly state: { readonly used: bigint | null; readonly held: bigint | null };
  readonly startsAtMs: number | null;
};

const ANYTHING = { models: null, providers: null, modalities: null };

/** A limit that is a setting, as a row of `GET /v1/limits`. */
export function describeSetting(limit: PlannedLimit, state: LimitState, atMs: number): object {
  const startsAtMs = parseScope(limit.scope)?.monthStartMs ?? null;
  return describeBuiltIn({ ...describeLimit(limit, atMs), limit: amountOfLimit(limit), state, startsAtMs });
}

type Counted = {
  readonly limit: number;
  readonly used: number | null;
  readonly startsAtMs: number | null;
  readonly freesAtMs: number | null;
};

/** Requests a minute of a member, which only sending one counts, and requests to free models. */
export function describeCounted(name: 'member_rate' | 'free_models', { limit, used, startsAtMs, freesAtMs }: Counted): object {
  return describeBuiltIn({
    ...{ id: null, ...BUILT_IN_LIMITS[name], measure: 'requests', window: name === 'member_rate' ? 'minute' : 'day' },
    limit: BigInt(limit),
    state: { used: used === null ? null : BigInt(used), held: null },
    startsAtMs,
    freesAtMs,
  });
}

function describeBuiltIn(row: Row): object {
  return { ...describeRow(row, 'built_in'), ...ANYTHING, counted_from: null, action: 'refuse', fallback_model: null };
}

/** A limit of the table. */
export function describeBindingRule({ limit, rule: { document, createdAtMs } }: BindingRule, state: LimitState, atMs: number): object {
  const { models = null, providers = null, modalities = null, action, fallback_model: fallbackModel = null } = document;
  // The steps of a rolling window that still count.
  const starts = [limit.scope, ...(limit.past ?? [])].flatMap((scope) => parseLimitScope(scope)?.startMs ?? []);
  const startsAtMs = starts.length === 0 ? null : Math.min(...starts);
  return {
    ...describeRow({ ...describeLimit(limit, atMs), limit: amountOfLimit(limit), state, startsAtMs }, 'limit'),
    ...{ models, providers, modalities },
    counted_from: toTime(createdAtMs),
    action,
    fallback_model: fallbackModel,
  };
}

function describeRow({ id, name, scope, about, measure, window, limit, state, startsAtMs, freesAtMs }: Row, kind: string): object {
  const { used, held } = state;
  const left = used === null ? null : limit - used;
  const format = (amount: bigint | null): string | null => (amount === null ? null : formatAmount(measure, amount));
  return {
    ...{ id, name, kind, scope, about, measure, window },
    limit: format(limit),
    used: format(used),
    remaining: format(left !== null && left < 0n ? 0n : left),
    held: format(held),
    starts_at: toTime(startsAtMs),
    frees_at: toTime(freesAtMs),
  };
}

function toTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
