import { getEndpoint, PASSPORT_HEADER, signPassport, type Passport } from '@weir/contracts';
import type { ScannerParts } from '@weir/exchange';
import { buildWorkerRoutes, createWeirServer, listen } from '@weir/http-server';
import type { ModelCatalog } from '@weir/model-catalog';
import type { ProviderDirectory } from '@weir/providers';
import type { RouteHealth } from '@weir/routing';
import { createLogger, createMetricsRegistry, createRequestMetrics } from '@weir/telemetry';
import { createMemoryMetering, type MemoryMetering } from '@weir/testing';
import { composeChatTranslator } from '../compose';

export type ChatWorkerParts = {
  readonly catalog: ModelCatalog;
  readonly providers: ProviderDirectory;
  readonly scanners?: ScannerParts;
  readonly health?: RouteHealth;
};

export type ChatWorker = Pick<MemoryMetering, 'events'> & {
  /** Sends a body as the edge would: to the endpoint of its passport, with that signed. */
  ask(passport: Passport, body: object): Promise<Response>;
  close(): Promise<void>;
};

const SECRET = 'worker-secret-'.repeat(4);

/** The chat worker on a port of its own, behind a real server, with a meter that journals to memory. */
export async function startChatWorker(parts: ChatWorkerParts): Promise<ChatWorker> {
  const { metering, events } = createMemoryMetering();
  const times = { headersTimeoutMs: 5_000, idleTimeoutMs: 5_000, heartbeatMs: 60_000, now: Date.now };
  const { handle } = composeChatTranslator({ ...metering, ...times, ...parts });
  const server = await listen(
    createWeirServer({
      hotRoutes: buildWorkerRoutes({
        service: 'chat-translator',
        handle,
        passportSecret: SECRET,
        uses: { claim: () => true },
        bodyBytesMax: 1 << 20,
        now: Date.now,
      }),
      fallback: (_request, response) => void response.writeHead(404).end(),
      log: createLogger({ service: 'chat-translator', level: 'silent' }),
      metrics: createRequestMetrics(createMetricsRegistry()),
      now: Date.now,
    }),
    0,
    '127.0.0.1',
  );
  return {
    events,
    ask: (passport, body) =>
      fetch(`http://127.0.0.1:${server.port}${getEndpoint(passport.endpointId).path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [PASSPORT_HEADER]: signPassport(passport, SECRET) },
        body: JSON.stringify(body),
      }),
    close: () => server.drain(0),
  };
}
