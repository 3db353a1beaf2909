import { pino, type DestinationStream, type Logger } from 'pino';
import { redactSecrets } from './redact';

export type { Logger } from 'pino';

/** Header and field names whose values never reach a log, wherever they stand. */
const SECRET_FIELDS = ['authorization', 'x-api-key', 'api-key', 'apiKey', 'api_key', 'password', 'secret', 'token', 'cookie'];

/**
 * JSON lines on stdout (or `destination`). Error texts are cleaned of anything that looks like a credential; request and
 * response bodies are never given to a logger in the first place.
 */
export function createLogger(options: { service: string; level: string; destination?: DestinationStream }): Logger {
  const settings = {
    level: options.level,
    base: { service: options.service },
    redact: { paths: SECRET_FIELDS.flatMap((name) => [`["${name}"]`, `*["${name}"]`]), censor: '***' },
    serializers: { error: describeError, err: describeError },
  };
  return options.destination === undefined ? pino(settings) : pino(settings, options.destination);
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
