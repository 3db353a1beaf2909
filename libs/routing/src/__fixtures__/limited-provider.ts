import { GatewayError } from '@weir/errors';
import type { AttemptPlace } from '../attempt-runner';

type Limited = {
  readonly now: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly perSecond: number;
  /** How many at once. */
  readonly burst: number;
  /** From a call to the head of its reply. */
  readonly repliesAfterMs?: number;
  /** Whether its replies say what is left. */
  readonly saysLeft?: boolean;
  readonly retryAfterSeconds?: number;
};

/** A provider that takes so many requests a second and refuses all others, at once. */
export function createLimitedProvider({ now, wait, perSecond, burst, saysLeft = true, ...more }: Limited) {
  let [left, atMs] = [burst, now()];
  const seen = { taken: 0, refused: 0, takenAtMs: [] as number[] };
  const takeOne = (): boolean => {
    left = Math.min(burst, left + ((now() - atMs) * perSecond) / 1000);
    atMs = now();
    if (left < 1) return false;
    left -= 1;
    return true;
  };
  const describe = (): Record<string, string> =>
    saysLeft
      ? {
          'x-limit': String(burst),
          'x-left': String(Math.floor(left)),
          'x-reset-ms': String(Math.ceil(((burst - left) * 1000) / perSecond)),
        }
      : {};
  const call = async (place: AttemptPlace): Promise<number> => {
    place.noteSent();
    await wait(1);
    const isTaken = takeOne();
    const headers = describe();
    if (!isTaken) {
      seen.refused += 1;
      place.noteReply({ status: 429, headers });
      const { retryAfterSeconds } = more;
      throw new GatewayError('provider_rate_limited', 'slow down', retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
    }
    seen.taken += 1;
    seen.takenAtMs.push(now());
    await wait(more.repliesAfterMs ?? 5);
    place.noteReply({ status: 200, headers });
    place.noteFirstByte();
    return now();
  };
  return { call, seen };
}

/** Reads what the provider above says. */
export function readLimited(headers: Readonly<Record<string, string | string[] | undefined>>, nowMs: number) {
  const [limit, remaining, resetMs] = ['x-limit', 'x-left', 'x-reset-ms'].map((name) => Number(headers[name] ?? NaN));
  if (limit === undefined || Number.isNaN(limit)) return {};
  return { requests: { limit, remaining: remaining ?? 0, resetAtMs: nowMs + (resetMs ?? 0), refill: 'steady' as const } };
}
