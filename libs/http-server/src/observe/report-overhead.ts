import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** `x-weir-debug: overhead` asks how much of the time until the reply began was the gateway's own. */
const DEBUG_HEADER = 'x-weir-debug';
/** How long the providers were waited for until the reply began; set by the code that called them. */
export const PROVIDER_MS_HEADER = 'x-weir-provider-ms';
const OVERHEAD_MS_HEADER = 'x-weir-overhead-ms';

export function asksForOverhead(headers: IncomingHttpHeaders): boolean {
  const asked = headers[DEBUG_HEADER];
  return typeof asked === 'string' && asked.split(',').some((word) => word.trim() === 'overhead');
}

/** Runs `act` right before the head of a reply is sent, by whatever call that comes about. */
export function beforeHead(response: ServerResponse, act: () => void): void {
  const writeHead = response.writeHead.bind(response) as (...rest: unknown[]) => ServerResponse;
  response.writeHead = (...rest: unknown[]) => {
    if (!response.headersSent) act();
    return writeHead(...rest);
  };
}

/** Adds to a reply what of its time was not a provider's. */
export function reportOverhead(response: ServerResponse, startedMonotonicMs: number): void {
  beforeHead(response, () => {
    const providerMs = Number(response.getHeader(PROVIDER_MS_HEADER) ?? 0);
    const overheadMs = Math.max(0, performance.now() - startedMonotonicMs - providerMs);
    response.setHeader(OVERHEAD_MS_HEADER, overheadMs.toFixed(2));
  });
}
