import { findFirstOrganization } from '../../organizations/recover-key';
import type { ManagementParts } from '../../route/management-parts';
import type { OidcSettings } from './read-oidc-settings';
import { SignInRefusal } from './sign-in-refusal';

/** The organization whose people sign in at the provider of the settings. */
export async function findSignInOrganization(
  parts: ManagementParts,
  { organizationId: id }: Pick<OidcSettings, 'organizationId'>,
): Promise<string> {
  if (id === undefined) return findFirstOrganization(parts);
  const found = await parts.database.prisma.organization.findUnique({ where: { id }, select: { status: true } });
  if (found === null || found.status === 'closed') throw new SignInRefusal('settings', 'CONSOLE_OIDC_ORGANIZATION names no organization');
  return id;
}
