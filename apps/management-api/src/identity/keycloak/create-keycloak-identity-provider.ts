import { z } from 'zod';
import type { IdentityProvider, Membership, NewMembership, SignedInPerson } from '../../ports/identity-provider';
import { createKeycloakAdmin, type KeycloakAdmin, type KeycloakSettings } from './create-keycloak-admin';
import { readBoundedJson } from '../../bodies/read-bounded-json';

const found = z.array(z.object({ id: z.string().min(1), name: z.string().optional(), email: z.string().optional() }));
const userInfo = z.object({
  sub: z.string().min(1).max(255),
  email: z.email().max(320),
  email_verified: z.boolean().default(false),
  given_name: z.string().max(200).default(''),
  family_name: z.string().max(200).default(''),
});

/**
 * Keycloak's admin interface with organizations. Ours are there under their id as name and alias, since names of ours
 * need not be unique; the name is the description. Members are added unmanaged, so taking one out leaves the account.
 */
export function createKeycloakIdentityProvider(settings: KeycloakSettings): IdentityProvider {
  const admin = createKeycloakAdmin(settings);
  return {
    addMember: async (membership) => {
      const organization = await ensureOrganization(admin, membership);
      const subject = await ensureUser(admin, membership);
      await admin.send({ method: 'POST', path: `/organizations/${organization}/members`, body: subject, expects: [409] });
      return { subject };
    },
    removeMember: async (membership) => {
      const subject = await findUser(admin, membership);
      if (subject === undefined) return;
      const organization = await findOrganization(admin, membership.organizationId);
      if (organization !== undefined) {
        await admin.send({ method: 'DELETE', path: `/organizations/${organization}/members/${subject}`, expects: [404] });
      }
      // After the membership: a token given out from here on no longer speaks of it.
      await admin.send({ method: 'POST', path: `/users/${subject}/logout`, expects: [404] });
    },
    readSession: (token) => readSession(settings, token),
  };
}

async function findOrganization(admin: KeycloakAdmin, organizationId: string): Promise<string | undefined> {
  const { json } = await admin.send({ method: 'GET', path: `/organizations?search=${encodeURIComponent(organizationId)}&exact=true` });
  return found.parse(json).find(({ name }) => name === organizationId)?.id;
}

async function ensureOrganization(admin: KeycloakAdmin, { organizationId, organizationName }: NewMembership): Promise<string> {
  const known = await findOrganization(admin, organizationId);
  if (known !== undefined) return known;
  const body = { name: organizationId, alias: organizationId, description: organizationName, enabled: true };
  await admin.send({ method: 'POST', path: '/organizations', body, expects: [409] }); // 409: somebody else made it just now
  const made = await findOrganization(admin, organizationId);
  if (made === undefined) throw new Error('Keycloak does not list the organization it has just made');
  return made;
}

async function findUser(admin: KeycloakAdmin, { subject, email }: Membership): Promise<string | undefined> {
  if (subject !== null) {
    const { status } = await admin.send({ method: 'GET', path: `/users/${encodeURIComponent(subject)}`, expects: [404] });
    if (status !== 404) return encodeURIComponent(subject);
  }
  const { json } = await admin.send({
    method: 'GET',
    path: `/users?email=${encodeURIComponent(email)}&exact=true&briefRepresentation=true`,
  });
  return found.parse(json).find((user) => user.email?.toLowerCase() === email)?.id;
}

/** Somebody new gets an account without a password: they set one, and prove the address, when they first sign in. */
async function ensureUser(admin: KeycloakAdmin, membership: NewMembership): Promise<string> {
  const known = await findUser(admin, membership);
  if (known !== undefined) return known;
  const { email, firstName, lastName } = membership;
  const requiredActions = ['VERIFY_EMAIL', 'UPDATE_PASSWORD'];
  const body = { username: email, email, firstName, lastName, enabled: true, requiredActions };
  await admin.send({ method: 'POST', path: '/users', body, expects: [409] });
  const made = await findUser(admin, membership);
  if (made === undefined) throw new Error('Keycloak has another account under this address as its name');
  return made;
}

/** Asked of Keycloak each time, so that a session that was ended, or an account that was disabled, counts at once. */
async function readSession({ url, realm, timeoutMs = 10_000 }: KeycloakSettings, token: string): Promise<SignedInPerson | undefined> {
  const reply = await fetch(`${url}/realms/${encodeURIComponent(realm)}/protocol/openid-connect/userinfo`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (reply.status === 401 || reply.status === 403) {
    await reply.body?.cancel();
    return undefined;
  }
  const json = await readBoundedJson(reply);
  if (!reply.ok) throw new Error(`Keycloak replied ${reply.status} to the request for a session's person`);
  const person = userInfo.parse(json);
  return {
    subject: person.sub,
    email: person.email.toLowerCase(),
    isEmailVerified: person.email_verified,
    firstName: person.given_name,
    lastName: person.family_name,
  };
}
