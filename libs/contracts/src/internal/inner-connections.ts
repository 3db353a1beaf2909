/**
 * How long idle connections between the services of one gateway stay open, in milliseconds. Who asks closes first: who answers
 * cannot see whether a request is on its way, and one that meets a closed connection fails although no one has read it.
 */
export const INNER_CONNECTIONS = {
  /** After so long without a request, who asks closes a connection. */
  idleMs: 4000,
  /** Who answers and is about to end keeps one open for longer: timers of a busy process are late. */
  lingerMs: 10_000,
} as const;
