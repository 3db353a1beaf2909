import { GatewayError } from '@weir/errors';
import { readCallerAddress } from '@weir/http-server';
import type { Request, Response } from 'express';
import { CONSOLE_PATH } from './console-parts';
import { openAdministratorSession } from './open-administrator-session';
import { authenticateKey } from './session-key';
import type { Served } from './serve-console';
import type { SessionParts } from './serve-session';
import type { LinkedKey, SignInLinks } from './sign-in-links';

type LinkParts = SessionParts & { readonly links: SignInLinks };

/** `GET /console/enter?token=…`: signs in anyone who has the link, once. */
export async function enterByLink(own: LinkParts, request: Request, response: Response, { requestId }: Served): Promise<void> {
  response.setHeader('referrer-policy', 'no-referrer');
  // Programs that look at links before people do ask so; the link is still good then.
  const link = request.method === 'HEAD' ? undefined : own.links.take(request.query['token']);
  if (link === undefined) return response.redirect(303, `${CONSOLE_PATH}/sign-in?reason=link`);
  const key = (await findUsable(own, link)) ?? (await openAdministratorSession(own.parts, { requestId, ip: readCallerAddress(request) }));
  own.cookies.begin(request, response, key);
  response.redirect(303, `${CONSOLE_PATH}/`);
}

/** The key that was known when the link was made, if no one has revoked it since. */
async function findUsable({ parts }: LinkParts, { apiKey }: LinkedKey): Promise<string | undefined> {
  if (apiKey === undefined) return undefined;
  try {
    await authenticateKey(parts, apiKey);
    return apiKey;
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'unusable_key') return undefined;
    throw error;
  }
}
