import type { GuardrailDocument } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { findEngineProblem } from '@weir/guardrails';
import { checkGroupExists } from './groups';
import { notFound } from './require-id';

/** What the guardrails of an organization may have together, as JSON text: they travel with its requests. */
const LENGTH_MAX = 8192;

type GuardrailChange = { readonly document: GuardrailDocument; readonly replacedId?: string | undefined };

/** Refuses a guardrail over a key or group of another organization, one that cannot run, and one too many. */
export async function checkGuardrail(
  tx: Prisma.TransactionClient,
  organizationId: string,
  { document, replacedId }: GuardrailChange,
): Promise<void> {
  checkPatterns(document);
  const { api_key_id: apiKeyId, group_id: groupId } = document;
  await checkGroupExists(tx, organizationId, groupId ?? null);
  if (apiKeyId !== undefined && (await tx.apiKey.count({ where: { id: apiKeyId, organizationId } })) === 0)
    throw notFound('API key', apiKeyId);
  const where = { organizationId, kind: 'guardrail' as const, ...(replacedId === undefined ? {} : { NOT: { id: replacedId } }) };
  const others = await tx.organizationRule.findMany({ where, select: { document: true } });
  const length = [document, ...others.map((other) => other.document)].reduce<number>((sum, each) => sum + JSON.stringify(each).length, 0);
  if (length <= LENGTH_MAX) return;
  throw refuse('detectors', `all guardrails of the organization together may have ${LENGTH_MAX} characters as JSON`);
}

/** `within` is what the field of a problem begins with. */
export function checkPatterns({ detectors }: Pick<GuardrailDocument, 'detectors'>, within = ''): void {
  for (const [index, detector] of detectors.entries()) {
    const problem = typeof detector === 'object' && 'pattern' in detector ? findEngineProblem(detector.pattern) : undefined;
    if (problem !== undefined) throw refuse(`${within}detectors.${index}.pattern`, problem);
  }
}

function refuse(field: string, reason: string): GatewayError {
  return new GatewayError('invalid_request', `\`${field}\` is not valid: ${reason}`, { field });
}
