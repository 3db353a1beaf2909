/** Prisma: no connection, none in time, closed, none free, and no turn (or end) of a transaction in time. */
const PRISMA_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028']);
/** What the net says of a server that is not there. */
const NET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH']);
/** Postgres: connection lost, too many connections, shutting down or starting. */
const SQL_STATES = /^(?:08|53|57P)/;
/** What `pg` says without any code. */
const WORDS = /timeout exceeded when trying to connect|query read timeout|connection terminated|client has encountered a connection error/i;

/** Whether a query failed because the database cannot be reached or is overloaded, and not because of the query itself. */
export function isDatabaseUnreachable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
  if (typeof code === 'string' && (PRISMA_CODES.has(code) || NET_CODES.has(code) || SQL_STATES.test(code))) return true;
  return (typeof message === 'string' && WORDS.test(message)) || isDatabaseUnreachable(cause);
}
