import { createUpstreamMetrics, type MetricsRegistry } from '@weir/telemetry';
import { createUpstreamTransport, type UpstreamHttp } from './create-upstream-transport';

/** The settings of `upstreamEnv` that connections follow. */
type UpstreamSettings = {
  readonly UPSTREAM_CONNECT_TIMEOUT_MS: number;
  readonly UPSTREAM_CONNECTIONS_MAX?: number | undefined;
  readonly UPSTREAM_WAIT_MS: number;
};

/** The connections of a process to providers, as it is set up, with their metrics. */
export function openUpstream(env: UpstreamSettings, registry: MetricsRegistry): UpstreamHttp {
  const upstream = createUpstreamTransport({
    connectTimeoutMs: env.UPSTREAM_CONNECT_TIMEOUT_MS,
    connectionsMax: env.UPSTREAM_CONNECTIONS_MAX,
    waitMs: env.UPSTREAM_WAIT_MS,
  });
  createUpstreamMetrics(registry, upstream.readLoads);
  return upstream;
}
