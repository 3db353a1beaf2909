import { createHmac } from 'node:crypto';

/**
 * The headers by which a receiver knows that a webhook is from here and recent: `x-weir-signature` is
 * `v1=<hex HMAC-SHA256 of "<timestamp>.<body>" under the secret>`.
 */
export function signWebhook(body: string, secret: string, nowMs: number): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000));
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return { 'x-weir-timestamp': timestamp, 'x-weir-signature': `v1=${signature}` };
}
