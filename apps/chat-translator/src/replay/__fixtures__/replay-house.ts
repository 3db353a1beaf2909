import { ENDPOINTS, PASSPORT_HEADER, signPassport, type Attempt, type ChatDialect, type Passport, type UsageEvent } from '@weir/contracts';
import { buildWorkerRoutes, createWeirServer, listen } from '@weir/http-server';
import type { ModelCatalog } from '@weir/model-catalog';
import { createProviderDirectory, type ProviderDirectory } from '@weir/providers';
import { createLogger, createMetricsRegistry, createRequestMetrics } from '@weir/telemetry';
import type { ReplyScript } from '@weir/testing';
import { createTill } from '@weir/usage-journal';
import { composeChatTranslator } from '../../compose';
import type { Received } from './received/received';
import { createScriptedTransport } from './scripted-transport';

const SECRET = 'replay-secret-'.repeat(4);

export type ReplayHouse = {
  readonly providers: ProviderDirectory;
  /** Sends one request whose provider answers with `script`; one at a time. */
  replay(ask: ReplayAsk, script: ReplyScript): Promise<Replayed>;
  close(): Promise<void>;
};

export type ReplayAsk = {
  readonly dialect: ChatDialect;
  readonly attempt: Attempt;
  readonly isStream: boolean;
  readonly body: Record<string, unknown>;
};

export type Replayed = { readonly received: Received; readonly events: readonly UsageEvent[] };

/** The chat worker on a port of its own: a real server and real providers, a scripted upstream, a till that journals to memory. */
export async function openReplayHouse(catalog: ModelCatalog): Promise<ReplayHouse> {
  let script: ReplyScript = { status: 500, body: 'nothing is scripted' };
  const providers = createProviderDirectory({ env: readEnv, transport: createScriptedTransport(() => script) });
  let events: UsageEvent[] = [];
  const journal = {
    begin: () => undefined,
    progress: () => undefined,
    end: (event: UsageEvent) => {
      events.push(event);
      return { sequence: BigInt(events.length) };
    },
  };
  const server = await listen(createServer({ catalog, providers, journal }), 0, '127.0.0.1');
  return {
    providers,
    replay: async (ask, next) => {
      script = next;
      events = [];
      const received = await send(`http://127.0.0.1:${server.port}`, ask);
      return { received, events };
    },
    close: () => server.drain(0),
  };
}

type ServerParts = {
  readonly catalog: ModelCatalog;
  readonly providers: ProviderDirectory;
  readonly journal: Parameters<typeof createTill>[0]['journal'];
};

function createServer({ catalog, providers, journal }: ServerParts) {
  const { handle } = composeChatTranslator({
    providers,
    catalog,
    till: createTill({ journal, now: Date.now }),
    finishHold: () => undefined,
    freeModelDays: { giveBack: () => Promise.resolve() },
    onPlaceLost: () => undefined,
    isMeteringReady: () => true,
    whenDurable: null,
    headersTimeoutMs: 5_000,
    idleTimeoutMs: 5_000,
    heartbeatMs: 60_000,
    now: Date.now,
  });
  return createWeirServer({
    hotRoutes: buildWorkerRoutes({ service: 'chat-translator', handle, passportSecret: SECRET, bodyBytesMax: 1 << 20, now: Date.now }),
    fallback: (_request, response) => void response.writeHead(404).end(),
    log: createLogger({ service: 'replay', level: 'silent' }),
    metrics: createRequestMetrics(createMetricsRegistry()),
    now: Date.now,
  });
}

/** Credentials for everybody; nothing goes to the addresses. */
function readEnv(name: string): string | undefined {
  if (/_(BASE_URL|ENDPOINT)$/.test(name)) return 'http://upstream.test';
  if (/_API_KEY$/.test(name)) return 'replay-key';
  if (/_PROJECT$/.test(name)) return 'replay-project';
  return undefined;
}

async function send(url: string, ask: ReplayAsk): Promise<Received> {
  const endpoint = ENDPOINTS.find((row) => 'dialect' in row && row.dialect === ask.dialect);
  const response = await fetch(`${url}${endpoint?.path ?? ''}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [PASSPORT_HEADER]: signPassport(createPassport(ask, endpoint?.id ?? ''), SECRET) },
    body: JSON.stringify(ask.body),
  });
  return {
    dialect: ask.dialect,
    isStream: ask.isStream,
    status: response.status,
    headers: Object.fromEntries(response.headers.entries()),
    body: await response.text(),
  };
}

function createPassport({ attempt, isStream }: ReplayAsk, endpointId: string): Passport {
  return {
    version: 1,
    requestId: 'req_replay',
    endpointId,
    admittedAtMs: Date.now(),
    deadlineMs: Date.now() + 30_000,
    caller: { organizationId: 'o', apiKeyId: 'k', userId: null, groupId: null, apiKeyLabelSetId: null, groupLabelSetId: null },
    modelRequested: attempt.modelId,
    stream: isStream,
    attempts: [attempt],
    originTitle: null,
    endUserId: null,
    traceId: null,
    extra: {},
    hold: null,
    isStrict: false,
  };
}
