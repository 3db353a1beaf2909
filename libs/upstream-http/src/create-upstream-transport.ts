import { buildConnector } from 'undici';
import { findConnectionsMax } from './find-connections-max';
import { OriginPool, type OriginLoad } from './origin-pool';
import { createNotedClient, type NotedOptions } from './create-noted-client';
import { PendingCall } from './pending-call';
import type { UpstreamCall, UpstreamResponse, UpstreamTransport } from './upstream-transport';

type UpstreamHttpOptions = {
  readonly connectTimeoutMs: number;
  /** Connections per origin; absent: as many as the process can open beside its callers'. */
  readonly connectionsMax?: number | undefined;
  /** How long a call waits for one while all are in use; absent: two seconds. */
  readonly waitMs?: number | undefined;
  /** Idle connections are closed after so long, whatever the upstream says; absent: half a minute, or what it says. */
  readonly connectionIdleMs?: number;
  /** Whom it speaks to is a process of ours, which never encodes what it was not asked to. */
  readonly isInner?: boolean;
};

export type UpstreamHttp = {
  readonly send: UpstreamTransport;
  /** Of every origin that was ever called. */
  readLoads(): OriginLoad[];
  /** Waits for nothing: call it after draining. */
  close(): Promise<void>;
};

const WAIT_MS = 2_000;

/** HTTP/1.1 keep-alive connections to every upstream. */
export function createUpstreamTransport(options: UpstreamHttpOptions): UpstreamHttp {
  const pools = new Map<string, OriginPool>();
  const { connectionIdleMs: idleMs, isInner = false, waitMs = WAIT_MS } = options;
  const connectionsMax = options.connectionsMax ?? findConnectionsMax();
  const keepAlive = idleMs === undefined ? { keepAliveTimeout: 30_000 } : { keepAliveTimeout: idleMs, keepAliveMaxTimeout: idleMs };
  const findPool = (origin: string): OriginPool => {
    let pool = pools.get(origin);
    if (pool === undefined) {
      // Processes of ours come and go with their addresses; of providers the counts are kept.
      if (isInner) dropIdle(pools);
      // One for all connections: it keeps the TLS sessions that the next ones go on with.
      const connect = buildConnector({ timeout: options.connectTimeoutMs, noDelay: true });
      const createClient = isInner ? createNotedClient : undefined;
      pool = new OriginPool({ origin, connectionsMax, waitMs, connect, createClient, ...keepAlive });
      pools.set(origin, pool);
    }
    return pool;
  };
  return {
    send: (call) => send(findPool, call, isInner ? call.headers : { 'accept-encoding': 'identity', ...call.headers }),
    readLoads: () => [...pools.values()].map((pool) => pool.readLoad()),
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}

function dropIdle(pools: Map<string, OriginPool>): void {
  for (const [origin, pool] of pools) if (pool.isIdle()) pools.delete(origin);
}

function send(findPool: (origin: string) => OriginPool, call: UpstreamCall, headers: UpstreamCall['headers']): Promise<UpstreamResponse> {
  if (call.signal.aborted) return Promise.reject(call.signal.reason as Error);
  const url = splitUrl(call.url);
  return new Promise((resolve, reject) => {
    // Below undici's `request`, whose streams and signals cost more than everything else here together.
    const options: NotedOptions = {
      path: url.path,
      method: call.method,
      headers: headers as Record<string, string>,
      // undici takes whatever can be iterated; its types name streams only.
      body: call.body as string,
      headersTimeout: call.headersTimeoutMs,
      bodyTimeout: call.idleTimeoutMs,
      addHeaders: call.addHeaders,
    };
    findPool(url.origin).send(options, new PendingCall(call.signal, { resolve, reject }));
  });
}

/** Origins repeat for ever; parsing the whole URL for each request costs more than the rest of this function. */
function splitUrl(url: string): { origin: string; path: string } {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  return slash === -1 ? { origin: url, path: '/' } : { origin: url.slice(0, slash), path: url.slice(slash) };
}
