import { createRequestMetrics, createServerMetrics, writeMetrics, type Logger, type MetricsRegistry, type Tracing } from '@weir/telemetry';
import type { Express } from 'express';
import { createHttpApp } from '../server/create-http-app';
import type { HotRoutes } from '../requests/hot-routes';
import { createWeirServer, listen } from '../server/create-http-server';
import type { UpgradeHandler } from '../server/serve-upgrades';
import { createHealth, type HealthParts } from './health';
import { createLoadShedder } from '../load/load-shedder';
import type { ServiceLimits } from '../load/service-limits';
import { mountHealthPages } from './mount-health-pages';
import { startMetricsServer, type MetricsPort } from './start-metrics-server';
import type { TakenPort } from './take-port';

export type ServiceOptions = {
  readonly port: number;
  /** `port` where it was taken before; absent: it is taken when the parts are there. */
  readonly taken?: TakenPort | undefined;
  readonly host: string;
  /** Where metrics are served, and health once more. */
  readonly metricsPort: MetricsPort;
  /** Of a process that keeps a journal, whether it is inside a call to the disk: its `/healthz` at the metrics port replies then too. */
  readonly diskCalls?: Int32Array;
  readonly log: Logger;
  readonly registry: MetricsRegistry;
  readonly hotRoutes?: HotRoutes;
  readonly mount?: (app: Express) => void;
  /** Absent: nothing is upgraded. */
  readonly upgrades?: UpgradeHandler;
  /** When it is ready, and what it needs of others. */
  readonly health: HealthParts;
  /** Absent: nothing is refused, and a stop does not wait for balancers. */
  readonly limits?: ServiceLimits;
  /** Absent: nothing is traced. Its opener closes it, after the service. */
  readonly tracing?: Tracing | undefined;
  /** What to close, in order, once no request runs any more. */
  readonly onStop: () => Promise<void>;
};

export type RunningService = {
  readonly port: number;
  readonly metricsPort: number;
  /** How many requests are running. */
  runningRequests(): number;
  /**
   * Says that it is not ready, serves on until balancers have noticed, then refuses connections, lets running requests
   * finish for `drainTimeoutMs` and closes the parts. Idempotent; asked again with 0, it does not wait any more.
   */
  stop(drainTimeoutMs: number): Promise<void>;
};

/** Starts one HTTP service with its health and readiness pages, and its metrics on a port of their own. */
export async function runService(options: ServiceOptions): Promise<RunningService> {
  const health = createHealth(options.health);
  const app = createHttpApp({
    mount: (express) => {
      mountHealthPages(express, health, { isPrivate: false });
      options.mount?.(express);
    },
    ...(options.hotRoutes === undefined ? {} : { hotRoutes: options.hotRoutes }),
    onInternalError: (error, requestId) => options.log.error({ requestId, error: error.cause }, 'request failed by our own fault'),
  });
  const { limits, taken } = options;
  const serverMetrics = createServerMetrics(options.registry);
  serverMetrics.dependencies(health.readDependencies);
  const load = limits?.load === undefined ? undefined : createLoadShedder({ ...limits.load, metrics: serverMetrics });
  const harness = createWeirServer({
    hotRoutes: options.hotRoutes ?? new Map(),
    fallback: app,
    log: options.log,
    metrics: createRequestMetrics(options.registry),
    now: Date.now,
    serverMetrics,
    ...(limits === undefined ? {} : { connections: limits.connections }),
    ...(load === undefined ? {} : { load }),
    lingerMs: limits?.lingerMs,
    isBehindEdge: limits?.isBehindEdge,
    tracing: options.tracing,
    server: taken?.handOver(),
    upgrades: options.upgrades,
  });
  const running = taken === undefined ? await listen(harness, options.port, options.host) : { ...harness, port: taken.port };
  const metricsServer = await startMetricsServer({
    ...{ host: options.host, log: options.log, port: options.metricsPort, health, diskCalls: options.diskCalls },
    writeMetrics: (format) => writeMetrics(options.registry, format),
  }).catch(async (error: unknown) => {
    await running.drain(0);
    throw error;
  });
  const delay = createDelay();
  let stopping: Promise<void> | undefined;
  const stop = async (drainTimeoutMs: number): Promise<void> => {
    health.startDraining();
    running.startDraining();
    if (drainTimeoutMs > 0) await delay.wait(limits?.drainDelayMs ?? 0);
    await running.drain(drainTimeoutMs);
    load?.close();
    await options.onStop();
    await options.registry.close?.();
    await metricsServer.close();
  };
  return {
    port: running.port,
    metricsPort: metricsServer.port,
    runningRequests: running.runningRequests,
    stop: (drainTimeoutMs) => {
      // Asked again without patience: what still runs is cut.
      if (stopping !== undefined && drainTimeoutMs === 0) {
        delay.end();
        running.cut();
      }
      return (stopping ??= stop(drainTimeoutMs));
    },
  };
}

/** A wait that can be ended early. */
function createDelay(): { wait(ms: number): Promise<void>; end(): void } {
  let end = (): void => undefined;
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    end: () => end(),
  };
}
