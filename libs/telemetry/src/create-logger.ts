import { pino, type DestinationStream, type Logger } from 'pino';
import { redactSecrets } from './redact';

export type { Logger } from 'pino';

/** Header and field names whose values never reach a log, at the top or one level down. */
const SECRET_FIELDS = new Set(['authorization', 'x-api-key', 'api-key', 'apiKey', 'api_key', 'password', 'secret', 'token', 'cookie']);
const FLUSH_EVERY_MS = 100;
const GATHERED_MAX = 8 * 1024;
/** Less than this is written only when it is asked for, so that a flush finds it and writes it then and there. */
const WRITTEN_MIN = 16 * 1024 - 1;
/** While nobody reads or there is no place to write, later lines are dropped. */
const UNWRITTEN_MAX = 16 * 2 ** 20;

/**
 * JSON lines on stdout (or `destination`). Error texts are cleaned of anything that looks like a credential; request and
 * response bodies are never given to a logger in the first place. Lines are gathered for a tenth of a second, because a
 * system call for each would cost a busy gateway more than the request it tells of.
 */
export function createLogger(options: { service: string; level: string; destination?: DestinationStream }): Logger {
  const settings = {
    level: options.level,
    base: { service: options.service },
    formatters: { log: hideSecrets },
    serializers: { error: describeError, err: describeError },
  };
  return pino(settings, options.destination ?? openStdout());
}

/** Gathers by itself: pino's own stream measures all that it has gathered, byte by byte, whenever a line comes. */
function openStdout(): DestinationStream & { flushSync(): void } {
  const stdout = pino.destination({ dest: 1, sync: false, minLength: WRITTEN_MIN, maxLength: UNWRITTEN_MAX });
  let isFailing = false;
  // On a full disk lines wait for room, and the process neither ends for their sake nor waits for it when it ends.
  stdout.on('error', () => (isFailing = true));
  stdout.on('write', () => (isFailing = false));
  const writeAll = stdout.flushSync.bind(stdout);
  stdout.flushSync = () => (isFailing ? undefined : writeAll());
  let gathered = '';
  const pass = (): void => {
    if (gathered !== '') stdout.write(gathered);
    gathered = '';
  };
  const write = (): void => {
    pass();
    stdout.flush();
  };
  const flushSync = (): void => {
    pass();
    stdout.flushSync();
  };
  setInterval(write, FLUSH_EVERY_MS).unref();
  process.on('exit', flushSync);
  return {
    write: (line) => {
      gathered += line;
      if (gathered.length >= GATHERED_MAX) write();
    },
    flushSync,
  };
}

function hideSecrets(fields: Record<string, unknown>): Record<string, unknown> {
  for (const name in fields) {
    const value = fields[name];
    if (SECRET_FIELDS.has(name)) return hideIn(fields);
    if (typeof value === 'object' && value !== null && !(value instanceof Error)) return hideIn(fields);
  }
  return fields;
}

function hideIn(fields: Record<string, unknown>, depth = 0): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (SECRET_FIELDS.has(name)) return [name, '***'];
      const isPlain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
      return [name, isPlain && depth < 1 ? hideIn(value as Record<string, unknown>, depth + 1) : value];
    }),
  );
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? redactSecrets(error) : error;
  const cause = error.cause;
  return {
    type: error.name,
    message: redactSecrets(error.message),
    ...(error.stack === undefined ? {} : { stack: redactSecrets(error.stack) }),
    ...(cause === undefined ? {} : { cause: cause instanceof Error ? describeError(cause) : typeof cause }),
  };
}
