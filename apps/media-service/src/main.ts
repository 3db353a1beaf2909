// Runs the media-service as a process of its own: env → compose → listen → drain.
import { loadEnv } from '@weir/config';
import { buildWorkerRoutes, runService, stopOnSignals } from '@weir/http-server';
import { createLogger, createMetricsRegistry } from '@weir/telemetry';
import { composeMediaService } from './compose';
import { mediaServiceEnv } from './env';

const REQUEST_TIMEOUT_MS = 600_000;

async function main(): Promise<void> {
  const env = loadEnv(mediaServiceEnv);
  const log = createLogger({ service: 'media-service', level: env.LOG_LEVEL });
  const { handle } = composeMediaService();
  const service = await runService({
    port: env.PORT,
    host: env.HOST,
    log,
    registry: createMetricsRegistry(),
    hotRoutes: buildWorkerRoutes({
      service: 'media-service',
      handle,
      passportSecret: env.PASSPORT_SECRET,
      bodyBytesMax: env.JSON_BODY_BYTES_MAX,
      now: Date.now,
    }),
    checks: [],
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    onStop: () => Promise.resolve(),
  });
  stopOnSignals(service, { drainTimeoutMs: env.DRAIN_TIMEOUT_MS, log, exit: (code) => process.exit(code) });
  log.info({ port: service.port }, 'media-service listens');
}

main().catch((error: unknown) => {
  process.stderr.write(`media-service could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
