import { GatewayError } from '@weir/errors';
import { readCallerAddress } from '@weir/http-server';
import type { Request, Response } from 'express';
import { CONSOLE_PATH } from './console-parts';
import type { Served } from './serve-console';
import type { SessionParts } from './serve-session';
import { admitPerson } from './oidc/admit-person';
import { findSignInOrganization } from './oidc/find-sign-in-organization';
import type { OidcClient } from './oidc/create-oidc-client';
import type { FlowCookies } from './flow-cookie';
import type { OidcSettings } from './oidc/read-oidc-settings';
import { openMemberSession } from './oidc/open-member-session';
import { readReturnPath } from './read-return-path';
import { sendToSignIn } from './send-to-sign-in';
import { AGE_MAX_MS } from './session-cookie';
import { SignInRefusal } from './oidc/sign-in-refusal';

export type OidcParts = SessionParts & { readonly settings: OidcSettings; readonly client: OidcClient; readonly flows: FlowCookies };

const CALLBACK_PATH = `${CONSOLE_PATH}/oidc/callback`;

/** `GET /console/oidc/start?return=…`: sends the browser to the provider. */
export async function startOidc(own: OidcParts, request: Request, response: Response, { requestId }: Served): Promise<void> {
  const back = readReturnPath(request.query['return']);
  try {
    const { url, flow } = await own.client.begin(`${findConsoleUrl(own, request)}${CALLBACK_PATH}`);
    own.flows.keep(request, response, { ...flow, back });
    response.redirect(303, url);
  } catch (error) {
    sendToSignIn(response, { reason: report(own, error, requestId), back });
  }
}

/**
 * `GET /console/oidc/callback`: the provider has sent the browser back. The session begins here with a cookie that no request
 * of another site carries, which this one and where it leads to still count as. The page it leads to needs none: it is the same
 * for everyone, and asks for its session by itself.
 */
export async function finishOidc(own: OidcParts, request: Request, response: Response, { requestId }: Served): Promise<void> {
  response.setHeader('referrer-policy', 'no-referrer');
  const flow = own.flows.take(request, response);
  const back = flow?.back ?? `${CONSOLE_PATH}/`;
  try {
    if (flow === undefined) throw new SignInRefusal('expired', 'this browser has begun no sign-in, or too long ago');
    const [, search = ''] = request.originalUrl.split('?', 2);
    const person = await own.client.finish(flow, `?${search}`);
    const caller = { organizationId: await findSignInOrganization(own.parts, own.settings), requestId, ip: readCallerAddress(request) };
    const userId = await admitPerson(own.parts, own.settings, { person, caller, place: 'console sign-in' });
    own.cookies.begin(request, response, await openMemberSession(own.parts, { ...caller, userId, lastsMs: AGE_MAX_MS }));
    response.redirect(303, back);
  } catch (error) {
    sendToSignIn(response, { reason: report(own, error, requestId), back });
  }
}

/** Where the provider sends the browser back to. The provider knows that address and refuses any other. */
function findConsoleUrl({ settings, origin }: OidcParts, request: Request): string {
  return settings.consoleUrl ?? origin.readUrl(request);
}

/** The log has what the page says in words for the person. */
function report({ parts: { log } }: OidcParts, error: unknown, requestId: string): SignInRefusal['reason'] {
  if (error instanceof SignInRefusal) {
    const level = error.reason === 'settings' || error.reason === 'provider' ? 'warn' : 'info';
    log[level]({ requestId, reason: error.reason }, `a sign-in at the console was refused: ${error.message}`);
    return error.reason;
  }
  if (error instanceof GatewayError && error.code === 'not_found') {
    log.warn({ requestId }, 'a sign-in at the console found no organization: set CONSOLE_OIDC_ORGANIZATION');
    return 'settings';
  }
  log.error({ requestId, error }, 'a sign-in at the console failed');
  return 'failed';
}
