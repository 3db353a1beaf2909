import { promptTokens, type Usage } from '@weir/canonical';
import type { ForwardedRequest } from '@weir/http-server';
import { formatUsd } from '@weir/pricing';

/** What a request has cost so far in attempts that gave its caller no reply. */
export type RequestCharges = {
  readonly chargesFailures: boolean;
  earlierPico: bigint;
  /** Of the request's log line; absent: nothing is noted. */
  readonly notes?: ForwardedRequest['notes'];
};

export function openCharges({ passport, notes }: Pick<ForwardedRequest, 'passport' | 'notes'>): RequestCharges {
  return { chargesFailures: passport.chargesFailures === true, earlierPico: 0n, notes };
}

type Priced = { readonly costPico: bigint; readonly costUsd: string };

/** The cost of a request as its response and its log line show it: of the attempt that succeeded, and of those before it. */
export function totalCost({ earlierPico, notes }: RequestCharges, { costPico, costUsd }: Priced, usage: Usage): string {
  const total = earlierPico === 0n ? costUsd : formatUsd(earlierPico + costPico);
  if (notes !== undefined) {
    notes.inputTokens = promptTokens(usage);
    notes.outputTokens = usage.output;
    notes.costUsd = total;
  }
  return total;
}
