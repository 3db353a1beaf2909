import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { readApiError } from './api-error';

export type Level = 'none' | 'read' | 'write';

/** Who is signed in: the reply of /console/session, which is the console's own and not in the API's document. */
export type Session = {
  readonly organization: { readonly id: string; readonly name: string };
  readonly key: { readonly id: string; readonly name: string };
  readonly member: { readonly id: string; readonly email: string | null } | null;
  readonly permissions: { readonly completions: Level; readonly manage: Level; readonly contents: 'none' | 'read' };
  readonly is_administrator: boolean;
  readonly csrf_token: string;
  readonly expires_at: string;
};

const SESSION_URL = '/console/session';

/** Sent with every request that changes something; the cookie alone is not enough. */
let csrfToken = '';

export function readCsrfToken(): string {
  return csrfToken;
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => requestSession({ method: 'GET' }),
  staleTime: 5 * 60_000,
  retry: false,
});

export type SignInOptions = { readonly oidc: { readonly name: string } | null };

/** How people may sign in here beside by an API key; by that alone where the gateway does not say. */
export async function readSignInOptions(): Promise<SignInOptions> {
  try {
    const response = await fetch('/console/sign-in-options', { cache: 'no-store' });
    return response.ok ? ((await response.json()) as SignInOptions) : { oidc: null };
  } catch {
    return { oidc: null };
  }
}

/** Below the shell, where a session is certain. */
export function useSession(): Session {
  return useSuspenseQuery(sessionQuery).data;
}

export function signIn(apiKey: string): Promise<Session> {
  const headers = { 'content-type': 'application/json' };
  return requestSession({ method: 'POST', headers, body: JSON.stringify({ api_key: apiKey }) });
}

export async function signOut(): Promise<void> {
  const response = await fetch(SESSION_URL, { method: 'DELETE', headers: { 'x-csrf-token': csrfToken } });
  if (!response.ok && response.status !== 401) throw readApiError(response.status, await readBody(response));
  csrfToken = '';
}

async function requestSession(init: RequestInit): Promise<Session> {
  const response = await fetch(SESSION_URL, { ...init, cache: 'no-store' });
  const body = await readBody(response);
  if (!response.ok) throw readApiError(response.status, body, response.headers.get('x-request-id'));
  const session = body as Session;
  csrfToken = session.csrf_token;
  return session;
}

async function readBody(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}
