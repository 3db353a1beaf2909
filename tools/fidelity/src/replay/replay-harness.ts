import { composeChatTranslator } from '@weir/chat-translator';
import { ENDPOINTS, type Attempt, type ChatDialect, type UsageEvent } from '@weir/contracts';
import type { ModelCatalog } from '@weir/model-catalog';
import { createProviderDirectory, type ProviderDirectory } from '@weir/providers';
import { createRouteHealth, type RouteHealth } from '@weir/routing';
import { createMemoryMetering, makePassport, serveWorker, type ReplyScript, type ServedWorker } from '@weir/testing';
import type { Received } from '../received/received';
import { createScriptedTransport } from './scripted-transport';

export type ReplayHarness = {
  readonly providers: ProviderDirectory;
  /** What the worker has learned of its providers. */
  readonly health: RouteHealth;
  /** Sends one request whose provider replies with `script`; one at a time. */
  replay(ask: ReplayAsk, script: ReplyScript): Promise<Replayed>;
  close(): Promise<void>;
};

type ReplayAsk = {
  readonly dialect: ChatDialect;
  readonly attempt: Attempt;
  readonly isStream: boolean;
  readonly body: Record<string, unknown>;
  /** See Passport. */
  readonly chargesFailures?: boolean;
};

export type Replayed = { readonly received: Received; readonly events: readonly UsageEvent[] };

/** The chat worker with real providers and a scripted upstream. */
export async function openReplayHarness(catalog: ModelCatalog): Promise<ReplayHarness> {
  let script: ReplyScript = { status: 500, body: 'nothing is scripted' };
  const providers = createProviderDirectory({ env: readEnv, transport: createScriptedTransport(() => script) });
  const health = createRouteHealth({ now: () => performance.now() });
  const { metering, events } = createMemoryMetering();
  const times = { headersTimeoutMs: 5_000, idleTimeoutMs: 5_000, heartbeatMs: 60_000, now: Date.now };
  const { handle } = composeChatTranslator({ ...metering, ...times, catalog, providers, health });
  const worker = await serveWorker('chat-translator', handle);
  return {
    providers,
    health,
    replay: async (ask, next) => {
      script = next;
      events.length = 0;
      const received = await send(worker, ask);
      return { received, events: [...events] };
    },
    close: worker.close,
  };
}

/** Credentials for every provider; nothing is sent to the addresses. */
function readEnv(name: string): string | undefined {
  if (/_(BASE_URL|ENDPOINT)$/.test(name)) return 'http://upstream.test';
  if (/_API_KEY$/.test(name)) return 'replay-key';
  if (/_PROJECT$/.test(name)) return 'replay-project';
  return undefined;
}

async function send(worker: ServedWorker, { dialect, attempt, isStream, body, chargesFailures = false }: ReplayAsk): Promise<Received> {
  const endpoint = ENDPOINTS.find((row) => 'dialect' in row && row.dialect === dialect);
  const response = await worker.ask(
    makePassport({ endpointId: endpoint?.id ?? '', stream: isStream, attempts: [attempt], chargesFailures }),
    body,
  );
  return {
    dialect,
    isStream,
    status: response.status,
    headers: Object.fromEntries(response.headers.entries()),
    body: await response.text(),
  };
}
