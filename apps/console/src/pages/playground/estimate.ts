import { useEffect, useState } from 'react';
import { toApiError, apiFetch, type Schemas } from '../../api';
import { readApiError } from '../../api/api-error';
import { parseJson, type JsonRecord } from './json';

export type Estimate = Schemas['Estimate'];

/** What a request would cost at most: undefined while it is asked, or where there is nothing to ask. */
export type Estimated = { readonly estimate: Estimate } | { readonly error: string } | undefined;

const WAIT_MS = 500;

/** Asks a while after the last change. `build` is kept by its caller until what it builds changes. */
export function useEstimate(build: () => JsonRecord | undefined): Estimated {
  const [estimated, setEstimated] = useState<Estimated>();
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      const body = build();
      if (body === undefined) return setEstimated(undefined);
      askEstimate(body, controller.signal).then(
        (next) => setEstimated(next),
        () => undefined, // a newer one is asked
      );
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [build]);
  return estimated;
}

async function askEstimate(body: JsonRecord, signal: AbortSignal): Promise<Estimated> {
  try {
    const headers = { 'content-type': 'application/json' };
    const response = await apiFetch('/v1/estimate', { method: 'POST', headers, body: JSON.stringify(body), signal });
    const reply = parseJson(await response.text());
    return response.ok ? { estimate: reply as Estimate } : { error: readApiError(response.status, reply).message };
  } catch (error) {
    if (signal.aborted) throw error;
    return { error: toApiError(error).message };
  }
}
