import { asksForOverhead, beforeHead, PROVIDER_MS_HEADER } from '@weir/http-server';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** Shows a caller that asks for the gateway's overhead how long its providers took. */
export const providerTimeHeader = {
  isAskedFor: (headers: IncomingHttpHeaders): boolean => asksForOverhead(headers),
  writeWithHead: (response: ServerResponse, readMs: () => number): void =>
    beforeHead(response, () => void response.setHeader(PROVIDER_MS_HEADER, readMs().toFixed(2))),
};
