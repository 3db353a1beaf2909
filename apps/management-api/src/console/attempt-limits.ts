import { GatewayError } from '@weir/errors';
import { isIPv6 } from 'node:net';

const WINDOW_MS = 60_000;
const PER_ADDRESS = 30;
const IN_TOTAL = 600;

/** How often people, and who is none, may try to sign in. */
export type AttemptLimits = {
  /** Counts an attempt; an address of null counts in total alone. Throws `rate_limited` for one too many. */
  take(address: string | null): void;
};

/**
 * Counts by the minute, in this process: an address may not use up what others need, and all together may not keep the
 * process busy. What is refused is not counted, so that no more is remembered than attempts are let through.
 */
export function createAttemptLimits(now: () => number, { perAddress = PER_ADDRESS, inTotal = IN_TOTAL } = {}): AttemptLimits {
  const counts = new Map<string, number>();
  let startedAtMs = now();
  let total = 0;
  return {
    take: (address) => {
      if (now() - startedAtMs >= WINDOW_MS || now() < startedAtMs) {
        counts.clear();
        [startedAtMs, total] = [now(), 0];
      }
      const network = address === null ? undefined : findNetwork(address);
      const own = network === undefined ? 0 : (counts.get(network) ?? 0);
      if (own >= perAddress || total >= inTotal) {
        const message = 'Too many attempts to sign in. Wait a minute and try again.';
        throw new GatewayError('rate_limited', message, { retryAfterSeconds: Math.ceil((startedAtMs + WINDOW_MS - now()) / 1000) });
      }
      total += 1;
      if (network !== undefined) counts.set(network, own + 1);
    },
  };
}

/** One customer of a network has 2^64 addresses of version 6 or more: those with the same first half are one. */
function findNetwork(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = address.split('%')[0]?.toLowerCase().split('::') ?? [];
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), tail === undefined ? [] : groups(tail)];
  const missing = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: missing }, () => '0'), ...after]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
