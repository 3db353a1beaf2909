import { describePublicLimits, runService, type RunningService, type TakenPort } from '@weir/http-server';
import type { Console } from '@weir/management-api';
import type { ProviderDirectory } from '@weir/providers';
import { createRowSecurityMetric, openMetricsRegistry, openTracing } from '@weir/telemetry';
import { openUpstream } from '@weir/upstream-http';
import { startLogExports, startUsageFeed } from '@weir/usage-aggregator';
import { checkManagementSettings, composeManagement } from './compose-management';
import { composeEdge, composeWorkers, openSharedParts, startReports } from './compose-serving';
import type { DataParts } from './data-parts';
import { openFiles } from './open-files';
import { openMeteringParts } from './open-metering-parts';
import { openMoneyTasks } from './open-money-tasks';
import { openUsageFiles } from './open-usage-files';
import { describeHealth, type OwnParts } from './own-parts';
import { describeLocalAddress } from './own-address';

type StandaloneParts = OwnParts & {
  readonly data: DataParts;
  /** The gateway's port, where it was taken before. */
  readonly taken?: TakenPort;
};

type RunningStandalone = RunningService & { readonly providers: ProviderDirectory; readonly console: Console | undefined };

/** Joins the five services in one process and starts serving. */
export async function startStandalone(parts: StandaloneParts): Promise<RunningStandalone> {
  const { env, log, data } = parts;
  checkManagementSettings(env);
  const registry = openMetricsRegistry('standalone', env, log);
  createRowSecurityMetric(registry, data.database.rowSecurity);
  data.showIn(registry);
  const upstream = openUpstream(env, registry);
  const tracing = await openTracing('standalone', env);
  const money = await openMeteringParts({ ...parts, tracing }, registry);
  const send = money.observer.traceCalls(upstream.send);
  const shared = await openSharedParts(env, { files: openFiles(env, log, { isSwept: true }), send, registry, log, data });
  const edge = composeEdge(parts, shared, composeWorkers(parts, shared, money), registry);
  const { authenticate } = edge;
  const gateway: { url?: string } = {};
  const management = composeManagement(parts, shared, {
    ...{ authenticate, usageStore: money.usageStore, registry },
    // Known as soon as the port is taken; nothing is served before.
    gatewayUrl: () => gateway.url,
  });
  const stopWatching = await edge.start();
  const stopUpkeep = management.start();
  const stopReports = startReports(parts, shared);
  const moneyTasks = openMoneyTasks(parts, registry);
  const logExports = startLogExports({ service: 'standalone', settings: env, database: data.database, registry, log });
  const usageFeed = startUsageFeed({ settings: env, database: data.database, registry, log });
  const usageFiles = openUsageFiles(parts, registry);
  const service = await runService({
    port: env.PORT,
    taken: parts.taken,
    host: env.HOST,
    metricsPort: { asked: env.METRICS_PORT, usual: 9460 },
    diskCalls: money.metering.diskCalls,
    log,
    registry,
    hotRoutes: edge.hotRoutes,
    upgrades: edge.upgrades,
    mount: (app) => {
      app.use(management.router);
      edge.mount(app);
    },
    health: describeHealth(data, money.metering),
    limits: describePublicLimits(env),
    tracing,
    onStop: async () => {
      shared.opened.stop();
      await shared.models.stop();
      await stopReports();
      await stopWatching();
      await stopUpkeep();
      await logExports.stop();
      await usageFeed.stop();
      await usageFiles.stop();
      await moneyTasks.stop();
      await money.close();
      await upstream.close();
      await shared.files.close();
      await tracing?.close();
      await data.close();
    },
  });
  gateway.url = describeLocalAddress(env.HOST, service.port);
  return { ...service, providers: shared.providers, console: management.console };
}
