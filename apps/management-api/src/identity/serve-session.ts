import { readCredential } from '@weir/access';
import { openSessionBody } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { readCallerAddress, sendError } from '@weir/http-server';
import type { RequestHandler } from 'express';
import { parseBody } from '../bodies/parse-body';
import { readJsonBody } from '../bodies/read-json-body';
import { toServiceError } from '../http/to-service-error';
import type { ManagementParts } from '../route/management-parts';
import type { SignedInPerson } from '../ports/identity-provider';
import { openSession, type OpenedSession } from './open-session';
import { signIn, type SignIn } from './sign-in';

/**
 * `POST /v1/session` with the access token of a person as bearer: 200 with who that is and where they belong; 201 when an
 * organization was made for them, with its first key. With an `organization_id` of theirs in the body, `session` has a key
 * for its management interface; none when they belonged nowhere any more. For whatever signs people in, not for API keys.
 */
export function serveSession(parts: ManagementParts, createRequestId: () => string): RequestHandler {
  return async (request, response) => {
    const requestId = String(response.getHeader('x-request-id') ?? createRequestId());
    response.setHeader('x-request-id', requestId);
    response.setHeader('cache-control', 'no-store');
    try {
      const person = await readPerson(parts, readCredential(request.headers, 'bearer'));
      const { organization_id: organizationId } = parseBody(openSessionBody, await readJsonBody(request));
      const outcome = await signIn(parts, person);
      const asked = { userId: outcome.user.id, requestId, ip: readCallerAddress(request) };
      // The first key of an organization made just now is shown this once, whatever else was asked for.
      const session =
        organizationId === undefined || outcome.created !== null ? null : await openSession(parts, { ...asked, organizationId });
      response.status(outcome.created === null ? 200 : 201).json({ ...describeSignIn(outcome), session: describeSession(session) });
    } catch (thrown) {
      const error = toServiceError(thrown);
      if (error.code === 'internal') parts.log.error({ error: error.cause, requestId }, 'a sign-in failed');
      sendError(response, error, { requestId, dialect: 'gateway' });
    }
  };
}

async function readPerson({ identityProvider }: ManagementParts, token: string | undefined): Promise<SignedInPerson> {
  if (token === undefined)
    throw new GatewayError('missing_credentials', 'Send the access token of the session as "Authorization: Bearer".');
  let person: SignedInPerson | undefined;
  try {
    person = await identityProvider.readSession?.(token);
  } catch (error) {
    throw new GatewayError('provider_failed', 'The identity provider could not say whose session this is. Try again shortly.', {
      cause: error,
    });
  }
  if (person === undefined)
    throw new GatewayError('invalid_credentials', 'The session is not valid: it is unknown, expired or ended. Sign in again.');
  return person;
}

function describeSession(session: OpenedSession | null): object | null {
  if (session === null) return null;
  return {
    organization_id: session.organizationId,
    api_key_id: session.apiKeyId,
    api_key: session.apiKey,
    expires_at: session.expiresAt.toISOString(),
    is_administrator: session.isAdministrator,
    groups: session.groups,
  };
}

function describeSignIn({ user, memberships, created }: SignIn): object {
  return {
    user: { user_id: user.id, user_email: user.email, first_name: user.firstName, last_name: user.lastName },
    organizations: memberships.map(({ organization, role }) => ({ id: organization.id, name: organization.name, role })),
    created: created === null ? null : { organization_id: created.organizationId, api_key_id: created.apiKeyId, api_key: created.apiKey },
  };
}
