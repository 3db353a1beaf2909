import type { StandaloneEnv } from '../env';

/** The most connections to Postgres that one gateway keeps: it asks for keys and rules, and remembers them. */
const POOL_MAX = 4;
/** Callers do not come in turn as connections do: an address may meet one gateway more often than another. */
const UNEVEN = 2;

/** Settings are for the whole gateway: each process that serves has its part of what they allow. */
export function shareSettings(env: StandaloneEnv, gateways: number): StandaloneEnv {
  const part = (all: number): number => Math.max(1, Math.ceil(all / gateways));
  return {
    ...env,
    DATABASE_POOL_MAX: Math.min(POOL_MAX, Math.max(2, part(env.DATABASE_POOL_MAX))),
    CONNECTIONS_MAX: part(env.CONNECTIONS_MAX),
    CONNECTIONS_PER_ADDRESS_MAX: Math.min(env.CONNECTIONS_PER_ADDRESS_MAX, UNEVEN * part(env.CONNECTIONS_PER_ADDRESS_MAX)),
    IN_FLIGHT_MAX: part(env.IN_FLIGHT_MAX),
    UPLOAD_DISK_BYTES_MAX: part(env.UPLOAD_DISK_BYTES_MAX),
  };
}
