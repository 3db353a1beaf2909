import type { Prisma } from '@weir/database';
import { runChange, type ChangeCaller, type ChangeParts } from '../changes/run-change';
import { describeOrganization } from '../records/organization';

/** Sets an organization's weight among all that wait for a provider. No key of the organization may do this. */
export async function setOrganizationShare(parts: ChangeParts, caller: ChangeCaller, share: number): Promise<void> {
  const { organizationId: id } = caller;
  await runChange(parts, caller, async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${id}::uuid FOR UPDATE`;
    const before = await tx.organization.findUniqueOrThrow({ where: { id } });
    const settings = { ...(before.settings as Prisma.InputJsonObject), share };
    const after = await tx.organization.update({ where: { id }, data: { settings, version: { increment: 1 } } });
    return {
      result: undefined,
      audit: { targetKind: 'organization', targetId: id, before: describeOrganization(before), after: describeOrganization(after) },
      changed: [{ entity: 'organization', entityId: id }],
    };
  });
}
