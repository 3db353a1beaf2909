export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

const SECONDS_MAX = 86_400;

/** How long the provider asks to wait, in whole seconds; undefined when it does not say. */
export function readRetryAfter(headers: ResponseHeaders, nowMs: number = Date.now()): number | undefined {
  const milliseconds = Number(firstOf(headers['retry-after-ms']) ?? NaN);
  if (Number.isFinite(milliseconds)) return toWait(milliseconds / 1000);
  const text = firstOf(headers['retry-after']);
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return toWait(seconds);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : toWait((date - nowMs) / 1000);
}

function toWait(seconds: number): number | undefined {
  return seconds < 0 ? undefined : Math.min(SECONDS_MAX, Math.max(1, Math.ceil(seconds)));
}

function firstOf(value: string | string[] | undefined): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  return first === undefined || first === '' ? undefined : first;
}
