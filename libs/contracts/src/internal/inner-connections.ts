/**
 * How long idle connections between the services of one gateway stay open, in milliseconds. The asking side closes first: the
 * other cannot see whether a request is on its way, and one that meets a closed connection fails although no one has read it.
 */
export const INNER_CONNECTIONS = {
  /** After so long without a request, the asking side closes a connection. */
  idleMs: 4000,
  /** A server that is about to end keeps a connection open for longer: timers of a busy process are late. */
  lingerMs: 10_000,
} as const;
