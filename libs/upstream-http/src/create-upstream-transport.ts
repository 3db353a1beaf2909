import { Pool } from 'undici';
import { PendingCall } from './pending-call';
import type { UpstreamCall, UpstreamResponse, UpstreamTransport } from './upstream-transport';

type UpstreamHttpOptions = {
  readonly connectTimeoutMs: number;
  /** Connections per origin. */
  readonly connectionsMax: number;
  /** Idle connections are closed after so long, whatever the upstream says; absent: half a minute, or what it says. */
  readonly connectionIdleMs?: number;
  /** Whom it speaks to is a process of ours, which never encodes what it was not asked to. */
  readonly isInner?: boolean;
};

/** HTTP/1.1 keep-alive connections to every upstream. `close` waits for nothing: call it after draining. */
export function createUpstreamTransport(options: UpstreamHttpOptions): { send: UpstreamTransport; close(): Promise<void> } {
  const pools = new Map<string, Pool>();
  const { connectionIdleMs: idleMs, isInner = false } = options;
  const keepAlive = idleMs === undefined ? { keepAliveTimeout: 30_000 } : { keepAliveTimeout: idleMs, keepAliveMaxTimeout: idleMs };
  const findPool = (origin: string): Pool => {
    let pool = pools.get(origin);
    if (pool === undefined) {
      pool = new Pool(origin, {
        connections: options.connectionsMax,
        connect: { timeout: options.connectTimeoutMs, noDelay: true },
        ...keepAlive,
        pipelining: 1,
        maxHeaderSize: 32 * 1024,
      });
      pools.set(origin, pool);
    }
    return pool;
  };
  return {
    send: (call) => send(findPool, call, isInner ? call.headers : { 'accept-encoding': 'identity', ...call.headers }),
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}

function send(findPool: (origin: string) => Pool, call: UpstreamCall, headers: UpstreamCall['headers']): Promise<UpstreamResponse> {
  if (call.signal.aborted) return Promise.reject(call.signal.reason as Error);
  const url = splitUrl(call.url);
  return new Promise((resolve, reject) => {
    // Below undici's `request`, whose streams and signals cost more than everything else here together.
    findPool(url.origin).dispatch(
      {
        path: url.path,
        method: call.method,
        headers: headers as Record<string, string>,
        // undici takes any async iterable; its types name streams only.
        body: call.body as string,
        headersTimeout: call.headersTimeoutMs,
        bodyTimeout: call.idleTimeoutMs,
      },
      new PendingCall(call.signal, { resolve, reject }),
    );
  });
}

/** Origins repeat for ever; parsing the whole URL for each request costs more than the rest of this function. */
function splitUrl(url: string): { origin: string; path: string } {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return slash === -1 ? { origin: url, path: '/' } : { origin: url.slice(0, slash), path: url.slice(slash) };
}
