import type { UpstreamTransport } from '@weir/upstream-http';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { askReadiness, checkWorker } from './check-worker';

/** Where one process of a worker is. Passed over while it `isAway`, as long as there is another one. */
export type WorkerAddress = { readonly url: string; isAway: boolean };

/** Where the processes of a worker are: requests are spread over them in turn. */
export class WorkerAddresses {
  private all: readonly WorkerAddress[] = [];
  private turn = 0;

  constructor(urls: readonly string[]) {
    this.replace(urls);
  }

  get list(): readonly WorkerAddress[] {
    return this.all;
  }

  /** Where all are away, each is tried in its turn. */
  next(): WorkerAddress {
    const { all } = this;
    for (let looked = 0; looked < all.length; looked += 1) {
      const address = this.take();
      if (!address.isAway) return address;
    }
    return this.take();
  }

  areAllAway(): boolean {
    return this.all.every(({ isAway }) => isAway);
  }

  /** What is known of those that stay is kept. */
  replace(urls: readonly string[]): void {
    const known = new Map(this.all.map((address) => [address.url, address]));
    this.all = [...new Set(urls)].map((url) => known.get(url) ?? { url, isAway: false });
  }

  private take(): WorkerAddress {
    this.turn = (this.turn + 1) % this.all.length;
    return this.all[this.turn] as WorkerAddress;
  }
}

type FollowOptions = {
  readonly send: UpstreamTransport;
  readonly everyMs?: number;
  readonly resolve?: (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;
};

const EVERY_MS = 2_000;

/**
 * Keeps the addresses behind `urls` as they are: a name with several records is as many addresses, and of several, those that say they
 * are not ready, or do not reply, are passed over until they do. Resolves once names were looked up; returns how to stop.
 */
export async function followWorkers(
  workers: WorkerAddresses,
  urls: readonly string[],
  { send, everyMs = EVERY_MS, resolve = (host) => lookup(host, { all: true }) }: FollowOptions,
): Promise<() => void> {
  const found = new Map<string, readonly string[]>();
  const look = async (): Promise<void> => {
    await Promise.all(urls.map(async (url) => found.set(url, await listRecords(url, resolve).catch(() => found.get(url) ?? [url]))));
    workers.replace(urls.flatMap((url) => found.get(url) ?? [url]));
    if (workers.list.length === 1) return;
    await Promise.all(workers.list.map(async (address) => void (address.isAway = !(await isReady(address.url, send)))));
  };
  await look();
  const hasNames = urls.some((url) => isIP(hostOf(url)) === 0);
  if (!hasNames && urls.length === 1) return () => undefined;
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => void (looking ??= look().finally(() => (looking = undefined))), everyMs).unref();
  return () => clearInterval(timer);
}

/** Null when one of the worker's processes would take a request, else why none would. Rejects where none could be asked. */
export async function checkWorkers(name: string, workers: WorkerAddresses, send: UpstreamTransport): Promise<string | null> {
  const replies = await Promise.allSettled(workers.list.map(({ url }) => checkWorker(name, url, send)));
  const states = replies.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value] : []));
  if (states.includes(null)) return null;
  const [first] = replies;
  if (states.length === 0 && first?.status === 'rejected') throw first.reason;
  return states[0] ?? `no address of the ${name} is known`;
}

async function isReady(url: string, send: UpstreamTransport): Promise<boolean> {
  return (await askReadiness(url, send, AbortSignal.timeout(EVERY_MS)).catch(() => undefined)) === 'ready';
}

/**
 * A name with several records of one family as one URL for each. Of a name with one record a family these are two ways to one process,
 * of which a connection tries both; and a certificate is for the name.
 */
async function listRecords(url: string, resolve: NonNullable<FollowOptions['resolve']>): Promise<readonly string[]> {
  const host = hostOf(url);
  if (isIP(host) !== 0 || url.startsWith('https:')) return [url];
  const records = await resolve(host);
  const family = [4, 6].find((one) => records.filter((record) => record.family === one).length > 1);
  if (family === undefined) return [url];
  return records
    .filter((record) => record.family === family)
    .map(({ address }) => replaceHost(url, family === 6 ? `[${address}]` : address));
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

function replaceHost(url: string, host: string): string {
  const { protocol, port, pathname } = new URL(url);
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}${pathname.replace(/\/+$/, '')}`;
}
