import type { BoundedRequest, HoldStore, HoldTruth, PlannedLimit, ReserveRequest } from '@weir/limits';
import { fitGranted } from './fit-granted';
import type { LimitRefusal } from './limit-refusal';
import { readTaken } from './read-taken';
import { refuseLimit } from './refuse-limit';

/** `remaining` is below zero where more was used than there is, and null of a limit that only counts. */
type PreviewedLimit = { readonly limit: PlannedLimit; readonly remaining: bigint | null };

/** What would become of a request now. */
export type LimitPreview = {
  readonly limits: readonly PreviewedLimit[];
  readonly refusal: LimitRefusal | null;
  /** Tokens per choice, when the answer would be shortened to fit. */
  readonly clampedTokens: number | null;
};

type PreviewAsk = {
  /** As it would be made to reserve. */
  readonly request: Omit<ReserveRequest, 'limits'> & { readonly limits: readonly PlannedLimit[] };
  readonly bounded: BoundedRequest;
  readonly atMs: number;
  readonly nowMs: number;
};

/** Decides as a reservation would, and sets nothing aside. Rejects when counters are out of reach. */
export async function previewLimits(
  { request, bounded, atMs, nowMs }: PreviewAsk,
  stores: { readonly store: Pick<HoldStore, 'readTaken'>; readonly truth: Pick<HoldTruth, 'readBases'> },
): Promise<LimitPreview> {
  const { organizationId, limits, amounts, leasts } = request;
  const taken = await readTaken(organizationId, limits, stores);
  const previewed = limits.map((limit) => ({ limit, remaining: limit.max === null ? null : limit.max - (taken.get(limit) ?? 0n) }));
  const place = findRefusing(previewed, leasts);
  const refusing = place === undefined ? undefined : previewed[place];
  if (place !== undefined && refusing !== undefined) {
    const asked = amounts[place] ?? 0n;
    const refusal = refuseLimit({ limit: refusing.limit, remaining: refusing.remaining ?? 0n, asked, atMs, nowMs });
    return { limits: previewed, refusal, clampedTokens: null };
  }
  const granted = amounts.map((amount, index) => least(amount, previewed[index]?.remaining ?? null));
  const tokens = fitGranted(request, granted, bounded);
  return { limits: previewed, refusal: null, clampedTokens: tokens < bounded.outputTokens ? tokens : null };
}

/** The limit that stores refuse by: of several in money the one with the least left, else the first. */
function findRefusing(limits: readonly PreviewedLimit[], leasts: readonly bigint[]): number | undefined {
  let found: number | undefined;
  for (const [place, { limit, remaining }] of limits.entries()) {
    if (remaining === null || remaining >= (leasts[place] ?? 0n)) continue;
    const before = found === undefined ? undefined : limits[found];
    const isTighter = before !== undefined && isMoney(limit) && isMoney(before.limit) && remaining < (before.remaining ?? 0n);
    if (before === undefined || isTighter) found = place;
  }
  return found;
}

function isMoney({ rule }: PlannedLimit): boolean {
  return rule === undefined || rule.measure === 'usd';
}

function least(amount: bigint, remaining: bigint | null): bigint {
  return remaining !== null && remaining < amount ? remaining : amount;
}
