import createClient from 'openapi-fetch';
import type { components, paths } from '../generated/api';
import { readApiError } from './api-error';
import { readCsrfToken } from './session';

export type Schemas = components['schemas'];

const SAFE = new Set(['GET', 'HEAD']);
const API_URL = '/console/api';

/** What happens when a session has ended; the router sets it. */
let endSession: () => void = () => undefined;

export function onSessionEnd(handler: () => void): void {
  endSession = handler;
}

/** `fetch` with the session's protection: for streams and files; everything else uses `api`. */
export async function apiFetch(input: Request | string, init?: RequestInit): Promise<Response> {
  const request = new Request(typeof input === 'string' ? `${API_URL}${input}` : input, init);
  if (!SAFE.has(request.method)) request.headers.set('x-csrf-token', readCsrfToken());
  const response = await fetch(request);
  if (response.status === 401) endSession();
  return response;
}

/** The public interface, typed by its own document. Lists in a query are repeated, records are `name[key]=value`. */
export const api = createClient<paths>({ baseUrl: API_URL, fetch: apiFetch, querySerializer: writeQuery });

type Result<Data> = { data?: Data; error?: unknown; response: Response };

/** The reply, or the error that the gateway stated. */
export async function unwrap<Data>(call: Promise<Result<Data>>): Promise<Data> {
  const { data, error, response } = await call;
  if (!response.ok) throw readApiError(response.status, error, response.headers.get('x-request-id'));
  return data as Data;
}

export function writeQuery(query: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) append(search, name, value);
  return search.toString();
}

function append(search: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) for (const item of value) append(search, name, item);
  else if (typeof value === 'object') for (const [key, item] of Object.entries(value)) append(search, `${name}[${key}]`, item);
  else search.append(name, String(value as string | number | boolean));
}
