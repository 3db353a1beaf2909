import { DRAINING } from '@weir/http-server';
import { readLimited, type UpstreamTransport } from '@weir/upstream-http';

const REPLY_BYTES_MAX = 16 * 1024;
const TIMEOUT_MS = 2000;

/**
 * Null when a worker would take a request, else why not. One that is only on its way out still takes requests, and another
 * has its place by then: an edge that thought otherwise would be unready whenever a worker is replaced.
 */
export async function checkWorker(url: string, send: UpstreamTransport): Promise<string | null> {
  const reply = await send({
    method: 'GET',
    url: `${url}/readyz`,
    headers: {},
    body: '',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headersTimeoutMs: TIMEOUT_MS,
    idleTimeoutMs: TIMEOUT_MS,
  });
  const text = (await readLimited(reply.body, REPLY_BYTES_MAX)).toString('utf8');
  return reply.status === 200 || isDraining(text) ? null : `the chat-translator at ${url} is not ready`;
}

function isDraining(text: string): boolean {
  try {
    const { problems } = JSON.parse(text) as { problems?: unknown };
    return Array.isArray(problems) && problems.length === 1 && problems[0] === DRAINING;
  } catch {
    return false;
  }
}
