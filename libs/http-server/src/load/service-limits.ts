import { INNER_CONNECTIONS } from '@weir/contracts';
import type { ConnectionLimits } from '../connections/connection-book';

/** What a service may be asked to bear; see the settings of the same names. */
export type ServiceLimits = {
  readonly drainDelayMs: number;
  /** See HttpServerOptions. */
  readonly lingerMs?: number;
  /** See HttpServerOptions. */
  readonly isBehindEdge?: boolean;
  readonly connections: ConnectionLimits;
  /** Absent where nothing is refused for load. */
  readonly load?: { readonly inFlightMax: number };
};

type OwnSettings = { readonly DRAIN_DELAY_MS: number; readonly CONNECTIONS_MAX: number };
type LoadSettings = { readonly IN_FLIGHT_MAX: number };
type PublicSettings = OwnSettings &
  LoadSettings & {
    readonly CONNECTIONS_PER_ADDRESS_MAX: number;
    readonly PROXY_NETWORKS: readonly string[];
  };

/** For a service that only this gateway's own services reach. */
export function describeInnerLimits(env: OwnSettings): ServiceLimits {
  return {
    drainDelayMs: env.DRAIN_DELAY_MS,
    lingerMs: INNER_CONNECTIONS.lingerMs,
    connections: { max: env.CONNECTIONS_MAX, perAddressMax: null, proxyNetworks: [] },
  };
}

/** For a service that edges forward requests to: one that has too much to do refuses them by their priority, as the edge would. */
export function describeWorkerLimits(env: OwnSettings & LoadSettings): ServiceLimits {
  return { ...describeInnerLimits(env), isBehindEdge: true, load: describeLoad(env) };
}

/** Longer than clients keep an idle connection that obey the `keep-alive` header: see createWeirServer. */
const PUBLIC_LINGER_MS = 8000;

/** For a service that strangers reach. */
export function describePublicLimits(env: PublicSettings): ServiceLimits {
  return {
    drainDelayMs: env.DRAIN_DELAY_MS,
    // One that stops without a delay, as with Ctrl-C, has no other process that callers could go to.
    ...(env.DRAIN_DELAY_MS > 0 ? { lingerMs: PUBLIC_LINGER_MS } : {}),
    connections: { max: env.CONNECTIONS_MAX, perAddressMax: env.CONNECTIONS_PER_ADDRESS_MAX, proxyNetworks: env.PROXY_NETWORKS },
    load: describeLoad(env),
  };
}

function describeLoad(env: LoadSettings): ServiceLimits['load'] & object {
  return { inFlightMax: env.IN_FLIGHT_MAX };
}
