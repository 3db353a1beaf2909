import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { alternatePush } from './alternate-push';
import { askEdge, callService } from './call-service';
import { startEdges, type Edges } from './start-edges';

type RevocationOptions = {
  readonly revocations: number;
  readonly edges: number;
  /** Revocations begin this far apart. */
  readonly everyMs: number;
  /** Push is cut and given back in turns of this length. */
  readonly phaseMs: number;
  /** Requests a second to each edge, beside the revocations. */
  readonly loadPerEdge: number;
};

type RevocationFigures = {
  /** From the answer to a revocation until each edge had refused the key: one figure for each revocation and edge. */
  readonly withPushMs: readonly number[];
  readonly withoutPushMs: readonly number[];
  readonly load: { readonly requests: number; readonly refused: number; readonly latenciesMs: readonly number[] };
};

type ApiKey = { readonly id: string; readonly secret: string };
type Seen = { readonly delayMs: number; readonly hadPush: boolean };

const LOAD_KEYS = 20;
/** A record is read again in the background after ten seconds: one that was asked for just now is fresh when it is revoked. */
const SETTLE_MS = 100;
const GIVE_UP_MS = 15_000;

/** Revokes keys that every edge has cached, under load, while push comes and goes. */
export async function measureRevocations(options: RevocationOptions): Promise<RevocationFigures> {
  const edges = await startEdges(options.edges);
  try {
    const keys = await createKeys(edges, options.revocations);
    const load = startLoad(edges, await createKeys(edges, LOAD_KEYS), options.loadPerEdge);
    const push = alternatePush(edges.pushProxy, options.phaseMs);
    try {
      const seen = await revokeAll(edges, keys, options.everyMs, push.workedBetween);
      return {
        withPushMs: seen.filter(({ hadPush }) => hadPush).map(({ delayMs }) => delayMs),
        withoutPushMs: seen.filter(({ hadPush }) => !hadPush).map(({ delayMs }) => delayMs),
        load: await load.stop(),
      };
    } finally {
      push.stop();
      await load.stop();
    }
  } finally {
    await edges.stop();
  }
}

async function revokeAll(
  edges: Edges,
  keys: readonly ApiKey[],
  everyMs: number,
  hadPush: (fromMs: number, toMs: number) => boolean,
): Promise<Seen[]> {
  const startedAt = performance.now();
  const seen = await Promise.all(
    keys.map(async (key, at) => {
      await pause(Math.max(0, startedAt + at * everyMs - performance.now()));
      return revokeAndWatch(edges, key, hadPush);
    }),
  );
  return seen.flat();
}

async function createKeys({ managementUrl, administratorKey }: Edges, count: number): Promise<ApiKey[]> {
  const keys: ApiKey[] = [];
  const createSome = async (): Promise<void> => {
    while (keys.length < count) {
      const { json } = await callService(`${managementUrl}/v1/manage/apikey`, {
        key: administratorKey,
        method: 'POST',
        body: { name: 'to be revoked' },
      });
      keys.push({ id: String(json['api_key_id']), secret: String(json['api_key']) });
    }
  };
  await Promise.all(Array.from({ length: 4 }, createSome));
  return keys.slice(0, count);
}

async function revokeAndWatch(
  { urls, managementUrl, administratorKey }: Edges,
  { id, secret }: ApiKey,
  hadPush: (fromMs: number, toMs: number) => boolean,
): Promise<Seen[]> {
  await Promise.all(urls.map((url) => retryWhileBusy(() => askEdge(url, secret), 200)));
  await pause(SETTLE_MS);
  const path = `${managementUrl}/v1/manage/apikey/${id}`;
  await retryWhileBusy(async () => (await callService(path, { key: administratorKey, method: 'DELETE' })).status, 204);
  const revokedAt = performance.now();
  return Promise.all(
    urls.map(async (url) => {
      const refusedAt = await waitUntilRefused(url, secret, revokedAt);
      return { delayMs: refusedAt - revokedAt, hadPush: hadPush(revokedAt, refusedAt) };
    }),
  );
}

/** An overloaded machine returns 503; what counts here is what comes after the reply that is `wanted`. */
async function retryWhileBusy(ask: () => Promise<number>, wanted: number): Promise<void> {
  for (;;) {
    const status = await ask();
    if (status === wanted) return;
    if (status !== 503) throw new Error(`an answer had the status ${status} instead of ${wanted}`);
    await pause(SETTLE_MS);
  }
}

async function waitUntilRefused(url: string, secret: string, revokedAt: number): Promise<number> {
  for (let waitMs = 2; ; waitMs = Math.min(50, waitMs * 1.5)) {
    if ((await askEdge(url, secret)) === 401) return performance.now();
    if (performance.now() - revokedAt > GIVE_UP_MS) throw new Error(`an edge still took a key ${GIVE_UP_MS} ms after its revocation`);
    await pause(waitMs);
  }
}

/** Asks every edge about keys that stay in force, at a steady rate. */
function startLoad({ urls }: Edges, keys: readonly ApiKey[], perSecond: number): { stop(): Promise<RevocationFigures['load']> } {
  const latenciesMs: number[] = [];
  let [refused, isStopped] = [0, false];
  const ask = async (url: string, at: number): Promise<void> => {
    const startedAt = performance.now();
    const status = await askEdge(url, keys[at % keys.length]?.secret ?? '').catch(() => 0);
    latenciesMs.push(performance.now() - startedAt);
    if (status !== 200) refused += 1;
  };
  const run = async (url: string): Promise<void> => {
    const startedAt = performance.now();
    const asked: Promise<void>[] = [];
    for (let at = 0; !isStopped; at += 1) {
      await pause(Math.max(0, startedAt + (at * 1000) / perSecond - performance.now()));
      asked.push(ask(url, at));
    }
    await Promise.all(asked);
  };
  const runs = urls.map(run);
  return {
    stop: async () => {
      isStopped = true;
      await Promise.all(runs);
      return { requests: latenciesMs.length, refused, latenciesMs };
    },
  };
}
