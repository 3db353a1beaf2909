import { instantKey, parseUsageQuery } from '@weir/usage';
import type { RouteParts } from '../management-parts';
import { ok, type Answer, type Call } from '../route';

/** Parameters come in the query, in a JSON body (which proxies may lose), or in both; the body then wins. */
export async function answerUsage(parts: RouteParts, call: Call<Record<string, unknown>>, apiKeyId?: string): Promise<Answer> {
  const scope = { organizationId: call.organizationId, ...(apiKeyId === undefined ? {} : { apiKeyId }) };
  const query = parseUsageQuery({ ...call.query, ...call.body }, scope);
  const usage = await parts.usageStore.readUsage(query);
  return { ...ok(usage), headers: { 'x-weir-usage-range': `${instantKey(query.startMs)}/${instantKey(query.endMs)}` } };
}
