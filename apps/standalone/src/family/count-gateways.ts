/** The most that are started unless more are asked for: each keeps connections to Postgres. */
const AUTOMATIC_MAX = 16;

/**
 * How many gateways run beside the process that keeps the books; null where one process is to do everything. One core is left
 * for the books and the database.
 */
export function countGateways(asked: 'auto' | number, cores: number, platform: NodeJS.Platform): number | null {
  // Connections can be handed on to other processes everywhere else.
  if (platform === 'win32' || asked === 1) return null;
  if (asked !== 'auto') return asked;
  return cores < 2 ? null : Math.min(AUTOMATIC_MAX, cores - 1);
}
