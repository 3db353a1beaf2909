import { createBodyRequest } from './corpus/bodies';
import { createRawRequest, createSoundRequest } from './corpus/raw-requests';
import type { FuzzRequest } from './corpus/request';
import { checkReply } from './check-reply';
import { createRandom } from './corpus/random';
import { sendRaw } from './wire/send-raw';

type FuzzOptions = {
  /** Of the gateway. */
  readonly url: string;
  readonly key: string;
  readonly seed: number;
  /** Whichever comes first. */
  readonly requestsMax: number;
  readonly millisecondsMax: number;
};

type Finding = { readonly number: number; readonly about: string; readonly problem: string; readonly request: string };

export type FuzzReport = {
  readonly requests: number;
  /** How often each status was answered. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
  readonly slowestMs: number;
};

const AT_ONCE = 8;
const HANGS_AFTER_MS = 10_000;
const FINDINGS_MAX = 50;
/** Every so many requests one that is sound, which has to be answered with 200. */
const SOUND_EVERY = 50;

/** Sends requests one after another on eight lanes; the n-th request follows from the seed and n alone. */
export async function runFuzz({ url, key, seed, requestsMax, millisecondsMax }: FuzzOptions): Promise<FuzzReport> {
  const { hostname, port } = new URL(url);
  const address = { host: hostname, port: Number(port) };
  const deadline = performance.now() + millisecondsMax;
  const statuses: Record<string, number> = {};
  const findings: Finding[] = [];
  let sent = 0;
  let slowestMs = 0;
  const runLane = async (): Promise<void> => {
    while (sent < requestsMax && findings.length < FINDINGS_MAX && performance.now() < deadline) {
      const number = sent++;
      const request = createRequest(seed, number, key);
      const startedAt = performance.now();
      const verdict = checkReply(
        request,
        await sendRaw(address, { bytes: request.bytes, isPartial: request.dialect === undefined, timeoutMs: HANGS_AFTER_MS }),
      );
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      const status = String(verdict.status ?? 'closed');
      statuses[status] = (statuses[status] ?? 0) + 1;
      const problem =
        verdict.problem ?? (isSound(number) && verdict.status !== 200 ? `a sound request was answered with ${status}` : undefined);
      if (problem !== undefined) findings.push({ number, about: request.about, problem, request: show(request.bytes, key) });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runLane));
  return { requests: sent, statuses, findings, slowestMs: Math.round(slowestMs) };
}

function isSound(number: number): boolean {
  return number % SOUND_EVERY === SOUND_EVERY - 1;
}

function createRequest(seed: number, number: number, key: string): FuzzRequest {
  if (isSound(number)) return createSoundRequest(key);
  const random = createRandom(seed * 1_000_003 + number);
  return random.integer(4) === 0 ? createRawRequest(random, key) : createBodyRequest(random, key);
}

function show(bytes: Buffer, key: string): string {
  return JSON.stringify(bytes.subarray(0, 2000).toString('latin1').replaceAll(key, '<key>'));
}
