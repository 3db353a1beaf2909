import { GatewayError } from '@weir/errors';
import { errors, Pool } from 'undici';
import type { UpstreamCall, UpstreamResponse, UpstreamTransport } from './upstream-transport';

export type UpstreamHttpOptions = {
  readonly connectTimeoutMs: number;
  /** Connections per origin. */
  readonly connectionsMax: number;
};

/** HTTP/1.1 keep-alive connections to every upstream. `close` waits for nothing: call it after draining. */
export function createUpstreamTransport(options: UpstreamHttpOptions): { send: UpstreamTransport; close(): Promise<void> } {
  const pools = new Map<string, Pool>();
  const findPool = (origin: string): Pool => {
    let pool = pools.get(origin);
    if (pool === undefined) {
      pool = new Pool(origin, {
        connections: options.connectionsMax,
        connect: { timeout: options.connectTimeoutMs, noDelay: true },
        keepAliveTimeout: 30_000,
        pipelining: 1,
        maxHeaderSize: 32 * 1024,
      });
      pools.set(origin, pool);
    }
    return pool;
  };
  return {
    send: (call) => send(findPool, call),
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}

async function send(findPool: (origin: string) => Pool, call: UpstreamCall): Promise<UpstreamResponse> {
  const url = splitUrl(call.url);
  try {
    const response = await findPool(url.origin).request({
      path: url.path,
      method: call.method,
      headers: call.headers as Record<string, string>,
      body: call.body,
      signal: call.signal,
      headersTimeout: call.headersTimeoutMs,
      bodyTimeout: call.idleTimeoutMs,
    });
    return { status: response.statusCode, headers: response.headers, body: response.body };
  } catch (error) {
    if (call.signal.aborted) throw call.signal.reason;
    throw explainFailure(error);
  }
}

/** Origins repeat for ever; parsing the whole URL for each request costs more than the rest of this function. */
function splitUrl(url: string): { origin: string; path: string } {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return slash === -1 ? { origin: url, path: '/' } : { origin: url.slice(0, slash), path: url.slice(slash) };
}

function explainFailure(error: unknown): GatewayError {
  if (error instanceof errors.HeadersTimeoutError) {
    return new GatewayError('provider_timeout', 'The provider did not answer in time.', { cause: error });
  }
  return new GatewayError('provider_unreachable', 'The provider could not be reached.', { cause: error });
}
