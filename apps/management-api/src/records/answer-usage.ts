import { parseUsageQuery } from '@weir/usage';
import type { ManagementParts } from '../management-parts';
import { ok, type Answer, type Call } from '../route';

/** Parameters come in the query, in a JSON body (which proxies may lose), or in both; the body then wins. */
export async function answerUsage(parts: ManagementParts, call: Call<Record<string, unknown>>, apiKeyId?: string): Promise<Answer> {
  const scope = { organizationId: call.organizationId, ...(apiKeyId === undefined ? {} : { apiKeyId }) };
  return ok(await parts.usageStore.readUsage(parseUsageQuery({ ...call.query, ...call.body }, scope)));
}
