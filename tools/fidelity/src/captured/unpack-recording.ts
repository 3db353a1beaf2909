import type { Capture } from '@weir/testing';
import { at, isRaw, rawList, textOf } from '../reading/raw-json';

/** A client’s own recordings are lists of exchanges; every other capture is what it is. */
export function unpackRecording(capture: Capture): Capture[] {
  const content: unknown = capture.kind === 'json' ? JSON.parse(capture.body.toString()) : undefined;
  const exchanges = Array.isArray(content) ? rawList(content) : [];
  if (exchanges.length === 0 || !exchanges.every(({ request, response }) => isRaw(request) && isRaw(response))) return [capture];
  return exchanges.map(({ request, response }) => ({
    ...capture,
    body: JSON.stringify(at(response, 'body')),
    status: Number(at(response, 'status_code')),
    request: { method: 'POST', url: textOf(at(request, 'url')), headers: {}, body: at(request, 'body') },
  }));
}
