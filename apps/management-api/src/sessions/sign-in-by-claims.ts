import { GatewayError } from '@weir/errors';
import { admitPerson } from '../console/oidc/admit-person';
import { findSignInOrganization } from '../console/oidc/find-sign-in-organization';
import type { OidcSettings } from '../console/oidc/read-oidc-settings';
import type { OidcPerson } from '../console/oidc/read-person';
import { SignInRefusal, type SignInReason } from '../console/oidc/sign-in-refusal';
import type { ManagementParts } from '../route/management-parts';
import { listMemberships, type SignIn } from '../identity/sign-in';

type Arrived = { readonly person: OidcPerson; readonly caller: { readonly requestId: string; readonly ip: string | null } };

/** What the person can do about it, or whom they have to ask. */
const MESSAGES: Readonly<Partial<Record<SignInReason, string>>> = {
  email: 'The identity provider does not say that your e-mail address is verified.',
  group: 'You are no member of the organization, and no group of yours at the identity provider makes you one. Ask an administrator.',
  offboarded: 'You were taken out of the organization. An administrator can add you again.',
  account: 'Your e-mail address belongs to a member with another account at the identity provider. Ask an administrator.',
};

/** Signs a person in as the console does: to the organization of the settings alone, with the role and the groups that their claims give. */
export async function signInByClaims(parts: ManagementParts, settings: OidcSettings, { person, caller: from }: Arrived): Promise<SignIn> {
  const { prisma } = parts.database;
  try {
    const organizationId = await findSignInOrganization(parts, settings);
    const caller = { ...from, organizationId };
    const userId = await admitPerson(parts, settings, { person, caller, place: 'session sign-in' });
    const user = await prisma.userAccount.findUniqueOrThrow({ where: { id: userId } });
    const memberships = (await listMemberships(prisma, userId)).filter((one) => one.organizationId === organizationId);
    return { user, memberships, created: null };
  } catch (error) {
    if (!(error instanceof SignInRefusal)) throw error;
    parts.log.info({ requestId: from.requestId, reason: error.reason }, `a session was refused: ${error.message}`);
    throw new GatewayError(
      'permission_denied',
      MESSAGES[error.reason] ?? 'Signing in is not set up for this organization. Ask the operator.',
    );
  }
}
