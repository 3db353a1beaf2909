import type { Principal } from '@weir/access';
import { GatewayError } from '@weir/errors';
import { readCallerAddress } from '@weir/http-server';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { parseBody } from '../bodies/parse-body';
import { readJsonBody } from '../bodies/read-json-body';
import type { ManagementParts } from '../route/management-parts';
import type { BrowserOrigin } from './browser-origin';
import { checkIntended } from './check-csrf-token';
import { describeSession } from './describe-session';
import { endSessionKey } from './end-session-key';
import { authenticateKey } from './session-key';
import type { ConsoleSession, SessionCookies } from './session-cookie';
import type { Served } from './serve-console';

export type SessionParts = {
  readonly parts: ManagementParts;
  readonly cookies: SessionCookies;
  readonly origin: BrowserOrigin;
};

export type OpenSession = { readonly session: ConsoleSession; readonly principal: Principal };

const signInBody = z.strictObject({ api_key: z.string().min(1).max(512) });

/** The session of a request, and whose it is. Rejects with 401 without one; one whose key has ended is taken from the browser. */
export async function requireSession({ parts, cookies }: SessionParts, request: Request, response: Response): Promise<OpenSession> {
  const session = cookies.read(request);
  if (session === undefined) throw new GatewayError('missing_credentials', 'No one is signed in, or the session has ended. Sign in.');
  try {
    return { session, principal: await authenticateKey(parts, session.key) };
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'unusable_key') cookies.end(request, response);
    throw error;
  }
}

/** `POST /console/session`: signs in with a key. */
export async function signIn(own: SessionParts, request: Request, response: Response): Promise<void> {
  own.origin.checkSameOrigin(request);
  const { api_key: key } = parseBody(signInBody, await readJsonBody(request));
  const principal = await authenticateKey(own.parts, key.trim());
  await sendSession(own, response, { session: own.cookies.begin(request, response, key.trim()), principal });
}

/** `GET /console/session`: who is signed in. */
export async function readSession(own: SessionParts, request: Request, response: Response): Promise<void> {
  const open = await requireSession(own, request, response);
  own.cookies.keepAlive(request, response, open.session);
  await sendSession(own, response, open);
}

/** `DELETE /console/session`: signs out. Without a session there is nothing to do. */
export async function signOut(own: SessionParts, request: Request, response: Response, { requestId }: Served): Promise<void> {
  const session = own.cookies.read(request);
  if (session !== undefined) {
    checkIntended(request, session, own.origin);
    const principal = await authenticateKey(own.parts, session.key).catch(ignoreUnusable);
    if (principal !== undefined) await endSessionKey(own.parts, { principal, requestId, ip: readCallerAddress(request) });
  }
  own.cookies.end(request, response);
  response.status(204).end();
}

async function sendSession({ parts, cookies }: SessionParts, response: Response, { session, principal }: OpenSession): Promise<void> {
  response.json(await describeSession(parts, principal, { csrfToken: session.csrfToken, endsAtMs: cookies.endOf(session) }));
}

function ignoreUnusable(error: unknown): undefined {
  if (error instanceof GatewayError && error.code === 'unusable_key') return undefined;
  throw error;
}
