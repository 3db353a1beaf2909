import type { UsageEvent } from '@weir/contracts';

/** Which usage a price was wrong for. */
export type RerateCriteria = {
  readonly modelUsed: string;
  /** Null: of whichever provider. */
  readonly providerUsed: string | null;
  /** Half-open, UTC epoch milliseconds of admission. */
  readonly fromMs: number;
  readonly toMs: number;
  /** What the usage is charged by now, and what it is to be charged by. */
  readonly priceVersion: string;
  readonly toPriceVersion: string;
  /** Null: of all organizations. */
  readonly organizationId: string | null;
};

export type WhyLeft = 'not_itemized' | 'not_priced';

/** What an event that costs `costPico` by the wrong price costs by the right one; or why that cannot be said. */
export type PriceAgain = (event: UsageEvent, costPico: bigint) => { readonly costPico: bigint } | { readonly left: WhyLeft };

export type LeftEvent = { readonly eventId: string; readonly organizationId: string; readonly why: WhyLeft };

/** What a re-rating has changed, or would change. */
export type RerateSums = { corrected: number; leftOver: number; costPico: bigint; billedPico: bigint };

export const noSums = (): RerateSums => ({ corrected: 0, leftOver: 0, costPico: 0n, billedPico: 0n });

const LEFT_LISTED_MAX = 100;

/** A span may have millions of them: the first are listed, all are counted. */
export function keepFirst(into: LeftEvent[], more: readonly LeftEvent[]): void {
  into.push(...more.slice(0, Math.max(0, LEFT_LISTED_MAX - into.length)));
}
