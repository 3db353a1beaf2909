import type { ClaimedFiring, FiringResult } from '@weir/database';
import { planRedelivery } from '@weir/limits';
import { sendNotice, type ChannelParts } from './send-notice';

type AlertDeliveryParts = ChannelParts & {
  readonly claim: (limit: number) => Promise<readonly ClaimedFiring[]>;
  readonly finish: (result: FiringResult) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
};

const AT_ONCE = 8;

/** Delivers every notice that is due; one that is not accepted is tried again later, and given up in the end. Returns how many were accepted. */
export async function deliverAlerts(parts: AlertDeliveryParts): Promise<number> {
  let delivered = 0;
  for (;;) {
    const claimed = await parts.claim(AT_ONCE);
    const results = await Promise.all(claimed.map((firing) => deliver(parts, firing)));
    delivered += results.filter(({ status }) => status === 'delivered').length;
    if (claimed.length < AT_ONCE) return delivered;
  }
}

async function deliver(parts: AlertDeliveryParts, firing: ClaimedFiring): Promise<FiringResult> {
  const { id, kind } = firing.notice;
  const { isTaken, isFinal = false, text: result } = await sendNotice(parts, firing);
  if (isTaken) return finish(parts, { id, status: 'delivered', result, nextAttemptMs: null });
  // Of a test, what happened is what is asked for.
  const pauseMs = isFinal || kind === 'test' ? undefined : planRedelivery(firing.attempts, parts.random);
  if (pauseMs === undefined) return finish(parts, { id, status: 'dead', result, nextAttemptMs: null });
  return finish(parts, { id, status: 'pending', result, nextAttemptMs: parts.now() + pauseMs });
}

async function finish(parts: AlertDeliveryParts, result: FiringResult): Promise<FiringResult> {
  await parts.finish(result);
  return result;
}
