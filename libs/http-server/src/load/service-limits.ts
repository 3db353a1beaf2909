import { INNER_CONNECTIONS } from '@weir/contracts';
import type { ConnectionLimits } from './connection-book';

/** What a service may be asked to bear; see the settings of the same names. */
export type ServiceLimits = {
  readonly drainDelayMs: number;
  /** See HttpServerOptions. */
  readonly lingerMs?: number;
  readonly connections: ConnectionLimits;
  /** Absent where only this gateway's own services call: they were let in once already. */
  readonly load?: { readonly inFlightMax: number; readonly eventLoopDelayMaxMs: number };
};

type OwnSettings = { readonly DRAIN_DELAY_MS: number; readonly CONNECTIONS_MAX: number };
type PublicSettings = OwnSettings & {
  readonly CONNECTIONS_PER_ADDRESS_MAX: number;
  readonly PROXY_NETWORKS: readonly string[];
  readonly IN_FLIGHT_MAX: number;
  readonly EVENT_LOOP_DELAY_MAX_MS: number;
};

/** For a service that only this gateway's own services reach. */
export function describeInnerLimits(env: OwnSettings): ServiceLimits {
  return {
    drainDelayMs: env.DRAIN_DELAY_MS,
    lingerMs: INNER_CONNECTIONS.lingerMs,
    connections: { max: env.CONNECTIONS_MAX, perAddressMax: null, proxyNetworks: [] },
  };
}

/** For a service that strangers reach. */
export function describePublicLimits(env: PublicSettings): ServiceLimits {
  return {
    drainDelayMs: env.DRAIN_DELAY_MS,
    connections: { max: env.CONNECTIONS_MAX, perAddressMax: env.CONNECTIONS_PER_ADDRESS_MAX, proxyNetworks: env.PROXY_NETWORKS },
    load: { inFlightMax: env.IN_FLIGHT_MAX, eventLoopDelayMaxMs: env.EVENT_LOOP_DELAY_MAX_MS },
  };
}
