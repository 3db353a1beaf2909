import { getEndpoint, PASSPORT_HEADER, signPassport, type Passport, type ServiceId } from '@weir/contracts';
import { buildWorkerRoutes, createWeirServer, listen, type WorkerHandler } from '@weir/http-server';
import { createLogger, createMetricsRegistry, createRequestMetrics } from '@weir/telemetry';

export type ServedWorker = {
  /** Sends a body as the edge does: to the endpoint of its passport, which is signed. */
  ask(passport: Passport, body: object): Promise<Response>;
  close(): Promise<void>;
};

const SECRET = 'worker-secret-'.repeat(4);

/** A worker's handler on a port of its own, behind a real server. */
export async function serveWorker(service: ServiceId, handle: WorkerHandler): Promise<ServedWorker> {
  const server = await listen(
    createWeirServer({
      hotRoutes: buildWorkerRoutes({
        service,
        handle,
        passportSecret: SECRET,
        uses: { claim: () => true },
        bodyBytesMax: 1 << 20,
        now: Date.now,
      }),
      fallback: (_request, response) => void response.writeHead(404).end(),
      log: createLogger({ service, level: 'silent' }),
      metrics: createRequestMetrics(createMetricsRegistry()),
      now: Date.now,
    }),
    0,
    '127.0.0.1',
  );
  return {
    ask: (passport, body) =>
      fetch(`http://127.0.0.1:${server.port}${getEndpoint(passport.endpointId).path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [PASSPORT_HEADER]: signPassport(passport, SECRET) },
        body: JSON.stringify(body),
      }),
    close: () => server.drain(0),
  };
}
