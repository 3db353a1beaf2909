import { pino, type DestinationStream, type Logger } from 'pino';
import { hasColours, isForPeople, type LogFormat } from './log-format';
import { addLineWriter } from './line-writer';
import { openStdout } from './open-stdout';
import { redactSecrets } from './redact';
import { createTerminalLines } from './terminal-lines';

export type { Logger } from 'pino';

/** Header and field names whose values never reach a log, at the top or one level down. */
const SECRET_FIELDS = new Set(['authorization', 'x-api-key', 'api-key', 'apiKey', 'api_key', 'password', 'secret', 'token', 'cookie']);

type LoggerOptions = {
  readonly service: string;
  readonly level: string;
  /** Absent: standard output. */
  readonly destination?: DestinationStream;
  /** What standard output gets; absent: JSON. */
  readonly format?: LogFormat;
};

/**
 * JSON lines on stdout (or `destination`), or lines for people where `format` says so. Error texts are cleaned of anything that looks like a credential; request and
 * response bodies are never given to a logger in the first place. Lines are gathered for a tenth of a second, because a
 * system call for each would cost a busy gateway more than the request it reports.
 */
export function createLogger(options: LoggerOptions): Logger {
  const settings = {
    level: options.level,
    base: { service: options.service },
    // Collectors look for words; pino's own numbers stay for what reads those.
    formatters: { level: (severity: string, level: number) => ({ level, severity }), log: hideSecrets },
    serializers: { error: describeError, err: describeError },
  };
  const destination = options.destination ?? openOutput(options.format ?? 'json');
  const log = pino(settings, destination);
  addLineWriter({ log, service: options.service, destination });
  return log;
}

function openOutput(format: LogFormat): DestinationStream {
  const stdout = openStdout();
  return isForPeople(format) ? createTerminalLines(stdout, { isColoured: hasColours() }) : stdout;
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
