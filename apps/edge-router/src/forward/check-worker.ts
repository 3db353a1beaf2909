import { DRAINING } from '@weir/http-server';
import { readLimited, type UpstreamTransport } from '@weir/upstream-http';
import { setTimeout as pause } from 'node:timers/promises';

const REPLY_BYTES_MAX = 16 * 1024;
const TIMEOUT_MS = 2000;
const TRIES_MAX = 3;
const TRY_AGAIN_MS = 50;

/**
 * Null when a worker would take a request, else why not. One that is only on its way out still takes requests, and another
 * has its place by then: an edge that thought otherwise would be unready whenever a worker is replaced. For the same reason it
 * asks again where a connection fails: it may be one that a replaced worker has just closed.
 */
export async function checkWorker(name: string, url: string, send: UpstreamTransport): Promise<string | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  for (let triesLeft = TRIES_MAX; ;) {
    try {
      return (await askReadiness(url, send, signal)) === 'not ready' ? `the ${name} at ${url} is not ready` : null;
    } catch (error) {
      triesLeft -= 1;
      if (triesLeft === 0 || signal.aborted) throw error;
      await pause(TRY_AGAIN_MS);
    }
  }
}

/** What a worker says of itself. Rejects where it does not reply. */
export async function askReadiness(url: string, send: UpstreamTransport, signal: AbortSignal): Promise<'ready' | 'draining' | 'not ready'> {
  const reply = await send({
    method: 'GET',
    url: `${url}/readyz`,
    headers: {},
    body: '',
    signal,
    headersTimeoutMs: TIMEOUT_MS,
    idleTimeoutMs: TIMEOUT_MS,
  });
  const text = (await readLimited(reply.body, REPLY_BYTES_MAX)).toString('utf8');
  if (reply.status === 200) return 'ready';
  return isDraining(text) ? 'draining' : 'not ready';
}

function isDraining(text: string): boolean {
  try {
    const { problems } = JSON.parse(text) as { problems?: unknown };
    return Array.isArray(problems) && problems.length === 1 && problems[0] === DRAINING;
  } catch {
    return false;
  }
}
