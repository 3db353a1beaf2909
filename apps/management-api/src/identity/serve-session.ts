import { readCredential } from '@weir/access';
import { GatewayError } from '@weir/errors';
import { sendError } from '@weir/http-server';
import type { RequestHandler } from 'express';
import { toServiceError } from '../http/to-service-error';
import type { ManagementParts } from '../management-parts';
import type { SignedInPerson } from './identity-provider';
import { signIn, type SignIn } from './sign-in';

/**
 * `POST /v1/session` with the access token of a person as bearer: 200 with who that is and where they belong; 201 when an
 * organization was made for them, with its first key. For whatever signs people in, not for API keys.
 */
export function serveSession(parts: ManagementParts, createRequestId: () => string): RequestHandler {
  return async (request, response) => {
    const requestId = String(response.getHeader('x-request-id') ?? createRequestId());
    response.setHeader('x-request-id', requestId);
    response.setHeader('cache-control', 'no-store');
    try {
      const person = await readPerson(parts, readCredential(request.headers, 'bearer'));
      const outcome = await signIn(parts, person);
      response.status(outcome.created === null ? 200 : 201).json(describeSignIn(outcome));
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
  if (person === undefined) throw new GatewayError('invalid_credentials', 'The session is not valid: it is unknown, expired or ended.');
  return person;
}

function describeSignIn({ user, memberships, created }: SignIn): object {
  return {
    user: { user_id: user.id, user_email: user.email, first_name: user.firstName, last_name: user.lastName },
    organizations: memberships.map(({ organization, role }) => ({ id: organization.id, name: organization.name, role })),
    created: created === null ? null : { organization_id: created.organizationId, api_key_id: created.apiKeyId, api_key: created.apiKey },
  };
}
