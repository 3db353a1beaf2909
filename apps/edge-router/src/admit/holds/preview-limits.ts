import type { GatewayError } from '@weir/errors';
import type { BoundedRequest, HoldStore, HoldTruth, PlannedLimit } from '@weir/limits';
import { refuseLimit } from './refuse-limit';

/** `remainingPico` is below zero where more was used than there is. */
type PreviewedLimit = { readonly limit: PlannedLimit; readonly remainingPico: bigint };

/** What would become of a request now. */
export type LimitPreview = {
  readonly limits: readonly PreviewedLimit[];
  readonly refusal: GatewayError | null;
  /** Tokens per choice, when the answer would be shortened to fit. */
  readonly clampedTokens: number | null;
};

type PreviewAsk = {
  readonly organizationId: string;
  readonly limits: readonly PlannedLimit[];
  readonly bounded: BoundedRequest;
  readonly isClampable: boolean;
};

/** Decides as a reservation would, and sets nothing aside. Rejects when counters are out of reach. */
export async function previewLimits(
  { organizationId, limits, bounded, isClampable }: PreviewAsk,
  { store, truth }: { readonly store: HoldStore; readonly truth: HoldTruth },
): Promise<LimitPreview> {
  const taken = new Map(
    await store.readTaken(
      organizationId,
      limits.map(({ scope }) => scope),
    ),
  );
  const unseeded = limits.map(({ scope }) => scope).filter((scope) => !taken.has(scope));
  if (unseeded.length > 0) {
    for (const { scope, basePico } of await truth.readBases(organizationId, unseeded)) taken.set(scope, basePico);
  }
  const previewed = limits.map((limit) => ({ limit, remainingPico: limit.limitPico - (taken.get(limit.scope) ?? 0n) }));
  const tightest = previewed.reduce<PreviewedLimit | undefined>(
    (least, each) => (least === undefined || each.remainingPico < least.remainingPico ? each : least),
    undefined,
  );
  const { worstPico } = bounded;
  if (tightest === undefined || worstPico <= tightest.remainingPico) return { limits: previewed, refusal: null, clampedTokens: null };
  if (isClampable && bounded.leastPico <= tightest.remainingPico) {
    return { limits: previewed, refusal: null, clampedTokens: bounded.fitOutput(tightest.remainingPico) };
  }
  return { limits: previewed, refusal: refuseLimit({ ...tightest, worstPico }), clampedTokens: null };
}
