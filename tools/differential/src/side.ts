import { Agent } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { createNormalizer } from './compare/create-normalizer';
import type { Sight } from './compare/place';
import { setUpWorld } from './gateways/set-up-world';
import type { KeyName, World } from './gateways/world';
import { startGateway, type Gateway } from './gateways/start-gateway';
import { fetchMetrics, renderMetrics } from './observe/read-metrics';
import { findDatabase } from './observe/find-database';
import { openBooks, type Books } from './observe/read-books';
import { readGenerations, type Asked } from './observe/read-generations';
import { listLoggedRequests, readLog } from './observe/read-log';
import { renderCalls, renderResponse } from './observe/render-exchange';
import type { Group } from './requests/plan-requests';
import type { Request } from './requests/request';
import { sendRequest, type Response } from './send/send-request';
import { startUpstream, type Upstream } from './upstream/start-upstream';

/** One of the two builds, with a provider of its own, and what is seen of it. */
export type Side = {
  /** Sends the requests of a group one after the other. */
  send(group: Group): Promise<Sight[]>;
  /** Waits until all usage is counted, and reads what the gateway says of the run. */
  readAll(): Promise<Sight[]>;
  stop(): Promise<void>;
};

/** How long a caller that left is gone before the provider goes on. */
const GONE_MS = 700;
/** How long a request's line may take to be in the log. */
const LOGGED_WITHIN_MS = 4_000;
/** How long the count of events has to stay the same for all of them to be there. */
const QUIET_MS = 4_000;

/** Starts a build and gives it organizations, keys and rules. */
export async function openSide(name: string, checkout: string, needed: ReadonlySet<KeyName>): Promise<Side> {
  const { upstream, gateway, world } = await openParts(name, checkout, needed);
  const agent = new Agent({ keepAlive: true });
  const normalizer = createNormalizer(
    new Map([...world.names, [upstream.url, 'upstream'], [new URL(upstream.url).host, 'upstream address'], [gateway.url, 'gateway']]),
  );
  const asked = new Map<string, Asked>();
  const startMetrics = await fetchMetrics(gateway.metricsUrl);
  const logStart = gateway.output().length;
  const normalizeAll = (sights: readonly Sight[]): Sight[] => sights.map((sight) => normalizer.normalize(sight));
  const noteId = (id: string, subject: string, { key }: Request): void => {
    if (asked.has(id)) return;
    const administrator = typeof key === 'string' ? world.administrators.get(key) : undefined;
    asked.set(id, { subject, apiKey: administrator ?? gateway.apiKey });
    normalizer.name(id, `id of ${subject}`);
    normalizer.name(id.replaceAll('-', ''), `id of ${subject}`);
  };
  /** A caller that left without a response does not know the id; the log's newest line has it. */
  const findId = async (logged: number): Promise<string | undefined> => {
    for (let triesLeft = LOGGED_WITHIN_MS / 100; triesLeft > 0; triesLeft -= 1) {
      const id = listLoggedRequests(gateway.output().slice(logged)).find((each) => !asked.has(each));
      if (id !== undefined) return id;
      await setTimeout(100);
    }
    return undefined;
  };

  return {
    send: async ({ id, mark, requests }) => {
      const sights: Sight[] = [];
      for (const [at, request] of requests.entries()) {
        const subject = `${id}, request ${at + 1}`;
        if (request.afterMs !== undefined) await setTimeout(request.afterMs);
        const expectation = upstream.expect(mark, request.replies ?? []);
        const logged = gateway.output().length;
        const response = await sendRequest({ url: gateway.url, world, agent }, request);
        if (response.ended === 'left by the caller') await setTimeout(GONE_MS);
        expectation.goOn();
        const requestId = idOf(response) ?? (request.leavesAfter === undefined ? undefined : await findId(logged));
        if (requestId !== undefined) noteId(requestId, subject, request);
        sights.push(...renderResponse(subject, response), ...(await renderCalls(subject, expectation.calls)));
      }
      return normalizeAll(sights);
    },
    readAll: async () => {
      const books = openBooks(findDatabase(gateway.dataDir));
      try {
        await waitUntilQuiet(books);
        const meaningOf = (requestId: string): string | undefined => asked.get(requestId)?.subject;
        const metrics = renderMetrics(startMetrics, await fetchMetrics(gateway.metricsUrl));
        const log = readLog(gateway.output().slice(logStart), meaningOf);
        const generations = await readGenerations(gateway.url, asked);
        return normalizeAll([...(await books.readEvents(meaningOf)), ...generations, ...log, ...(await books.readTables()), ...metrics]);
      } finally {
        await books.close();
      }
    },
    stop: async () => {
      agent.destroy();
      await gateway.stop();
      await upstream.stop();
    },
  };
}

type Parts = { readonly upstream: Upstream; readonly gateway: Gateway; readonly world: World };

/** What was started ends again when not all of it can be had. */
async function openParts(name: string, checkout: string, needed: ReadonlySet<KeyName>): Promise<Parts> {
  const upstream = await startUpstream();
  let gateway: Gateway | undefined;
  try {
    gateway = await startGateway(name, checkout, upstream.url);
    return { upstream, gateway, world: await setUpWorld(gateway, needed) };
  } catch (error) {
    await gateway?.stop();
    await upstream.stop();
    throw error;
  }
}

function idOf({ headers }: Response): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === 'x-request-id')?.[1];
}

async function waitUntilQuiet(books: Books): Promise<void> {
  let last = -1;
  for (let since = Date.now(); Date.now() - since < QUIET_MS; await setTimeout(250)) {
    const count = await books.countEvents();
    if (count !== last) since = Date.now();
    last = count;
  }
}
