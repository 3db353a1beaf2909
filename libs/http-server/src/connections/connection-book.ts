import type { ServerMetrics } from '@weir/telemetry';
import type { Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { createNetworkList } from './network-list';

export type ConnectionLimits = {
  /** In all. */
  readonly max: number;
  /** From one address; null where none are counted by address. */
  readonly perAddressMax: number | null;
  /** Networks that are not counted by address, as `10.0.0.0/8`. */
  readonly proxyNetworks: readonly string[];
};

/** Every connection of a server, and what it does. */
export type ConnectionBook = {
  /** Returns what is to be given to `requestEnded`. */
  requestStarted(socket: Socket): Connection | undefined;
  requestEnded(connection: Connection | undefined, nowMs: number): void;
  /** How many are open. */
  readonly count: number;
  /** Closes those that have had nothing to do for so long. */
  closeIdle(idleMs: number): void;
  closeAll(): void;
};

export type Connection = { requests: number; idleSinceMs: number };

/** Counts a server's connections from here on and closes those beyond its limits at once. */
export function openConnectionBook(server: Server, limits: ConnectionLimits, metrics: ServerMetrics | undefined): ConnectionBook {
  const entries = new Map<Socket, Connection>();
  const byAddress = createAddressCount(limits);
  server.on('connection', (socket: Duplex) => {
    // Inside of this process, from a connection that is counted; or given back to the server after an upgrade that was none.
    if (!(socket instanceof Socket) || entries.has(socket)) return;
    const address = socket.remoteAddress ?? '';
    if (entries.size >= limits.max || !byAddress.enter(address)) {
      metrics?.connectionRefused(entries.size >= limits.max ? 'all' : 'address');
      socket.destroy();
      return;
    }
    entries.set(socket, { requests: 0, idleSinceMs: performance.now() });
    metrics?.connections(entries.size);
    socket.once('close', () => {
      entries.delete(socket);
      byAddress.leave(address);
      metrics?.connections(entries.size);
    });
  });
  return {
    get count() {
      return entries.size;
    },
    requestStarted: (socket) => {
      const entry = entries.get(socket);
      if (entry !== undefined) entry.requests += 1;
      return entry;
    },
    requestEnded: (entry, nowMs) => {
      if (entry === undefined) return;
      entry.requests -= 1;
      entry.idleSinceMs = nowMs;
    },
    closeIdle: (idleMs) => {
      const before = performance.now() - idleMs;
      for (const [socket, entry] of entries) if (entry.requests === 0 && entry.idleSinceMs <= before) socket.destroy();
    },
    closeAll: () => {
      for (const socket of entries.keys()) socket.destroy();
    },
  };
}

function createAddressCount({ perAddressMax, proxyNetworks }: ConnectionLimits) {
  if (perAddressMax === null) return { enter: () => true, leave: () => undefined };
  const counts = new Map<string, number>();
  const proxies = createNetworkList(proxyNetworks);
  return {
    enter: (address: string): boolean => {
      if (proxies(address)) return true;
      const count = counts.get(address) ?? 0;
      if (count >= perAddressMax) return false;
      counts.set(address, count + 1);
      return true;
    },
    leave: (address: string): void => {
      const count = counts.get(address);
      if (count === undefined) return;
      if (count === 1) counts.delete(address);
      else counts.set(address, count - 1);
    },
  };
}
