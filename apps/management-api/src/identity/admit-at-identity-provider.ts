import { GatewayError } from '@weir/errors';
import type { RouteParts } from '../route/management-parts';

/**
 * Makes an active member of this database one at the identity provider too, and keeps who that is there. Safe to repeat.
 * Throws `provider_failed` when the provider cannot.
 */
export async function admitAtIdentityProvider(
  { database, identityProvider }: Pick<RouteParts, 'database' | 'identityProvider'>,
  key: { organizationId: string; userId: string },
): Promise<void> {
  const { organizationId, userId } = key;
  const own = database.asOrganization(organizationId);
  const membership = await own.transact((tx) =>
    tx.orgMember.findUnique({
      where: { organizationId_userId: { organizationId, userId } },
      include: { user: true, organization: true },
    }),
  );
  if (membership?.status !== 'active') return;
  const { user, organization } = membership;
  const { email, firstName, lastName, idpSubject } = user;
  try {
    const asked = { organizationId, organizationName: organization.name, subject: idpSubject, email, firstName, lastName };
    const { subject } = await identityProvider.addMember(asked);
    if (subject === null || subject === idpSubject) return;
    await own.transact((tx) => tx.userAccount.update({ where: { id: userId }, data: { idpSubject: subject } }));
  } catch (error) {
    const message = 'The identity provider could not add the member, who is added here already; send the request again to finish.';
    throw new GatewayError('provider_failed', message, { cause: error });
  }
}
