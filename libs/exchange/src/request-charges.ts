import type { Passport } from '@weir/contracts';
import { formatUsd } from '@weir/pricing';

/** What a request has cost so far that its caller did not get an answer for. */
export type RequestCharges = { readonly chargesFailures: boolean; earlierPico: bigint };

export function openCharges({ chargesFailures }: Pick<Passport, 'chargesFailures'>): RequestCharges {
  return { chargesFailures: chargesFailures === true, earlierPico: 0n };
}

/** The cost of a request as its reply tells it: of the attempt that answered, and of those before it. */
export function totalCost({ earlierPico }: RequestCharges, { costPico, costUsd }: { costPico: bigint; costUsd: string }): string {
  return earlierPico === 0n ? costUsd : formatUsd(earlierPico + costPico);
}
