import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

export type OtlpTarget = {
  /** The whole address, such as `http://collector:4318/v1/metrics`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
};

/** What became of a message. `refused`: the collector will not take it however often it comes. */
export type OtlpOutcome =
  | { readonly kind: 'taken'; readonly rejected: number; readonly message: string }
  | { readonly kind: 'refused' | 'unavailable'; readonly message: string; readonly retryAfterMs?: number };

/** Sends one message to a collector. Never rejects. */
export type OtlpSender = (message: object, items: 'DataPoints' | 'LogRecords') => Promise<OtlpOutcome>;

const compress = promisify(gzip);
/** As the protocol names them: anything else is refused for good. */
const RETRYABLE = new Set([429, 502, 503, 504]);
const MESSAGE_LENGTH_MAX = 300;

/** OTLP over HTTP in JSON, which every collector takes at the same address as the binary form. */
export function createOtlpSender({ url, headers, timeoutMs }: OtlpTarget): OtlpSender {
  return async (message, items) => {
    try {
      const body = await compress(JSON.stringify(message));
      const response = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
        body: new Uint8Array(body),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return readOutcome(response, await response.text(), items);
    } catch (error) {
      return { kind: 'unavailable', message: describeFailure(error) };
    }
  };
}

function readOutcome(response: Response, text: string, items: string): OtlpOutcome {
  if (response.ok) return readTaken(text, items);
  const message = `status ${response.status}: ${text.slice(0, MESSAGE_LENGTH_MAX)}`;
  if (!RETRYABLE.has(response.status)) return { kind: 'refused', message };
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return { kind: 'unavailable', message, ...(seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}) };
}

/** A collector may take a message and refuse parts of it. */
function readTaken(text: string, items: string): OtlpOutcome {
  const { partialSuccess = {} } = parseReply(text);
  const rejected = Number(partialSuccess[`rejected${items}`] ?? 0);
  const message = String(partialSuccess['errorMessage'] ?? '').slice(0, MESSAGE_LENGTH_MAX);
  return { kind: 'taken', rejected: Number.isFinite(rejected) ? rejected : 0, message };
}

function parseReply(text: string): { readonly partialSuccess?: Readonly<Record<string, string | number>> } {
  try {
    return (JSON.parse(text) ?? {}) as object;
  } catch {
    return {}; // some reply with nothing, or in the binary form: a success all the same
  }
}

/** What the system said is below what `fetch` says. */
function describeFailure(error: unknown): string {
  const { cause, message } = error as { readonly cause?: { readonly code?: string; readonly message?: string }; readonly message?: string };
  return cause?.code ?? cause?.message ?? message ?? String(error);
}
