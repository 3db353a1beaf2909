import { runChange, type ChangeCaller, type ChangeParts } from '../changes/run-change';

/** Makes an organization the operator's own, or one like all others. No key of any organization may do this. */
export async function setOperatorOrganization(parts: ChangeParts, caller: ChangeCaller, isOperator: boolean): Promise<void> {
  const { organizationId: id } = caller;
  await runChange(parts, caller, async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM organization WHERE id = ${id}::uuid FOR UPDATE`;
    const before = await tx.organization.findUniqueOrThrow({ where: { id }, select: { isOperator: true } });
    await tx.organization.update({ where: { id }, data: { isOperator } });
    return {
      result: undefined,
      audit: {
        targetKind: 'organization',
        targetId: id,
        before: { is_operator: before.isOperator },
        after: { is_operator: isOperator },
      },
      changed: [],
    };
  });
}
