import { useEffect, useRef, useState } from 'react';
import { apiFetch, toApiError } from '../../api';
import { readApiError } from '../../api/api-error';
import type { Failure, Served } from './conversation';
import { asText, parseJson } from './json';
import { readServed } from './read-served';

/** What came of a request for images, speech or words. */
export type Outcome<Data> = {
  readonly state: 'running' | 'done' | 'stopped' | 'refused';
  readonly model: string;
  readonly data?: Data;
  readonly failure?: Failure;
  readonly served?: Served;
  /** Exact decimal text of USD. */
  readonly cost?: string;
  readonly isEstimated?: boolean;
  readonly firstMs?: number;
  readonly totalMs?: number;
};

type Asked<Data> = {
  readonly model: string;
  readonly path: string;
  readonly body: FormData | object;
  read(response: Response): Promise<Data>;
};

type MediaRequest<Data> = {
  readonly outcome: Outcome<Data> | undefined;
  readonly run: (asked: Asked<Data>) => void;
  readonly stop: () => void;
};

/** One request at a time; a new one ends the one before. */
export function useMediaRequest<Data>(): MediaRequest<Data> {
  const [outcome, setOutcome] = useState<Outcome<Data>>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const run = (asked: Asked<Data>): void => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setOutcome({ state: 'running', model: asked.model });
    void sendMedia(asked, controller.signal).then((next) => {
      if (running.current === controller) setOutcome(next);
    });
  };
  return { outcome, run, stop: () => running.current?.abort() };
}

async function sendMedia<Data>({ model, path, body, read }: Asked<Data>, signal: AbortSignal): Promise<Outcome<Data>> {
  const began = performance.now();
  const passed = (): number => performance.now() - began;
  let served: Served | undefined;
  try {
    const response = await apiFetch(`/v1/${path}`, { method: 'POST', signal, ...writeBody(body) });
    const firstMs = passed();
    served = readServed(response.headers);
    if (!response.ok) return { state: 'refused', model, served, totalMs: passed(), failure: await readFailure(response) };
    const data = await read(response);
    const cost = asText(response.headers.get('x-weir-cost'));
    const isEstimated = response.headers.get('x-weir-usage') === 'estimated';
    return { state: 'done', model, data, served, isEstimated, firstMs, totalMs: passed(), ...(cost === undefined ? {} : { cost }) };
  } catch (error) {
    const known = served === undefined ? {} : { served };
    if (signal.aborted) return { state: 'stopped', model, totalMs: passed(), ...known };
    return { state: 'refused', model, totalMs: passed(), ...known, failure: { message: toApiError(error).message } };
  }
}

function writeBody(body: FormData | object): RequestInit {
  if (body instanceof FormData) return { body };
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
}

async function readFailure(response: Response): Promise<Failure> {
  const { message, code, field, status } = readApiError(response.status, parseJson(await response.text()));
  return { message, status, ...(code === undefined ? {} : { code }), ...(field === undefined ? {} : { field }) };
}
