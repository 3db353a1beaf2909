import type { GuardrailDocument } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { checkGroupExists } from './groups';
import { notFound } from './require-id';

/** Refuses a guardrail over a key or group of another organization. */
export async function checkGuardrailScope(
  tx: Prisma.TransactionClient,
  organizationId: string,
  { api_key_id: apiKeyId, group_id: groupId }: GuardrailDocument,
): Promise<void> {
  await checkGroupExists(tx, organizationId, groupId ?? null);
  if (apiKeyId === undefined) return;
  if ((await tx.apiKey.count({ where: { id: apiKeyId, organizationId } })) === 0) throw notFound('API key', apiKeyId);
}
