import { readCredential } from '@weir/access';
import { openSessionBody } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { readCallerAddress, sendError } from '@weir/http-server';
import type { RequestHandler } from 'express';
import { parseBody } from '../bodies/parse-body';
import { readJsonBody } from '../bodies/read-json-body';
import { toServiceError } from '../http/to-service-error';
import type { ManagementParts } from '../route/management-parts';
import type { OidcSessions } from './create-oidc-sessions';
import { signInByClaims } from './sign-in-by-claims';
import { openSession, type OpenedSession } from '../identity/open-session';
import { signIn, type SignIn } from '../identity/sign-in';

/**
 * `POST /v1/session` with the access token of a person as bearer: 200 with who that is and where they belong; 201 when an
 * organization was made for them, with its first key. With an `organization_id` of theirs in the body, `session` has a key
 * for its management interface; none when they belonged nowhere any more. For whatever signs people in, not for API keys.
 */
export function serveSession(parts: ManagementParts, createRequestId: () => string, oidc?: OidcSessions): RequestHandler {
  return async (request, response) => {
    const requestId = String(response.getHeader('x-request-id') ?? createRequestId());
    response.setHeader('x-request-id', requestId);
    response.setHeader('cache-control', 'no-store');
    try {
      const token = readCredential(request.headers, 'bearer');
      if (token === undefined)
        throw new GatewayError('missing_credentials', 'Send the access token of the session as "Authorization: Bearer".');
      const caller = { requestId, ip: readCallerAddress(request) };
      const findPerson = await identify(parts, oidc, token);
      const { organization_id: organizationId } = parseBody(openSessionBody, await readJsonBody(request));
      const outcome = await findPerson(caller);
      const asked = { userId: outcome.user.id, ...caller };
      // The first key of an organization made just now is shown this once, whatever else was asked for.
      const session =
        organizationId === undefined || outcome.created !== null
          ? null
          : await openSession(parts, { ...asked, organizationId: checkBelongs(outcome, organizationId) });
      response.status(outcome.created === null ? 200 : 201).json({ ...describeSignIn(outcome), session: describeSession(session) });
    } catch (thrown) {
      const error = toServiceError(thrown);
      if (error.code === 'internal') parts.log.error({ error: error.cause, requestId }, 'a sign-in failed');
      sendError(response, error, { requestId, dialect: 'gateway' });
    }
  };
}

type SignInPerson = (caller: { readonly requestId: string; readonly ip: string | null }) => Promise<SignIn>;

/** Whose token it is: of the provider of OpenID Connect that it names, else of the Keycloak, else of the one who knows it. */
async function identify(parts: ManagementParts, oidc: OidcSessions | undefined, token: string): Promise<SignInPerson> {
  const { readSession } = parts.identityProvider;
  if (oidc !== undefined && (oidc.isOwn(token) || readSession === undefined)) {
    const person = await ask(() => oidc.readPerson(token));
    return (caller) => signInByClaims(parts, oidc.settings, { person, caller });
  }
  const person = await ask(() => readSession?.(token) ?? Promise.resolve(undefined));
  return () => signIn(parts, person);
}

async function ask<Person>(read: () => Promise<Person | undefined>): Promise<Person> {
  let person: Person | undefined;
  try {
    person = await read();
  } catch (error) {
    throw new GatewayError('provider_failed', 'The identity provider could not say whose session this is. Try again shortly.', {
      cause: error,
    });
  }
  if (person === undefined)
    throw new GatewayError('invalid_credentials', 'The session is not valid: it is unknown, expired or ended. Sign in again.');
  return person;
}

/** A provider speaks for the organizations that the sign-in has found, and for no other that the person is in. */
function checkBelongs({ memberships }: SignIn, organizationId: string): string {
  const id = organizationId.toLowerCase();
  if (!memberships.some((one) => one.organizationId === id))
    throw new GatewayError('not_found', `You are no member of an organization "${organizationId}".`);
  return id;
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
