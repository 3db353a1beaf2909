import type { ClaimedFiring, FiringResult } from '@weir/database';
import { encodeAlertNotice, planRedelivery, signWebhook } from '@weir/limits';

/** Sends JSON to an address that a customer named; resolves with any status, rejects when there was no answer. */
export type SendWebhook = (webhook: {
  readonly url: string;
  readonly organizationId: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}) => Promise<{ readonly status: number }>;

type AlertDeliveryParts = {
  readonly claim: (limit: number) => Promise<readonly ClaimedFiring[]>;
  readonly finish: (result: FiringResult) => Promise<void>;
  /** The secret a webhook is signed with. */
  readonly openSecret: (firing: ClaimedFiring) => Promise<string>;
  readonly send: SendWebhook;
  /** UTC epoch milliseconds. */
  readonly now: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
};

const AT_ONCE = 8;

/** Delivers every crossing that is due; one that is not accepted is tried again later, and given up in the end. Returns how many were accepted. */
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
  const result = await send(parts, firing);
  const { id } = firing.notice;
  if (result.isTaken) return finish(parts, { id, status: 'delivered', result: result.text, nextAttemptMs: null });
  const pauseMs = planRedelivery(firing.attempts, parts.random);
  if (pauseMs === undefined) return finish(parts, { id, status: 'dead', result: result.text, nextAttemptMs: null });
  return finish(parts, { id, status: 'pending', result: result.text, nextAttemptMs: parts.now() + pauseMs });
}

async function finish(parts: AlertDeliveryParts, result: FiringResult): Promise<FiringResult> {
  await parts.finish(result);
  return result;
}

async function send(parts: AlertDeliveryParts, firing: ClaimedFiring): Promise<{ isTaken: boolean; text: string }> {
  const { notice, url } = firing;
  try {
    const body = encodeAlertNotice(notice);
    const headers = { ...signWebhook(body, await parts.openSecret(firing), parts.now()), 'x-weir-delivery': notice.id };
    const { status } = await parts.send({ url, organizationId: notice.organizationId, body, headers });
    return { isTaken: status >= 200 && status < 300, text: String(status) };
  } catch (error) {
    return { isTaken: false, text: error instanceof Error ? error.message : String(error) };
  }
}
