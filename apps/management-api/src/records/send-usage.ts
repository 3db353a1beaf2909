import { instantKey, parseUsageQuery, type UsageScope } from '@weir/usage';
import type { RouteParts } from '../route/management-parts';
import { ok, type RouteResponse, type Call } from '../route/route';

/** A key may always see its own usage; of other usage it sees what its owner's roles reach. */
function reachOf({ authority, principal }: Call<unknown>, apiKeyId?: string): Pick<UsageScope, 'reach'> {
  if (authority.kind === 'organization-admin' || apiKeyId === principal.key.apiKeyId) return {};
  return { reach: { userId: authority.userId, groupIds: authority.adminOf } };
}

/** Parameters come in the query, in a JSON body (which proxies may lose), or in both; the body then wins. */
export async function respondWithUsage(parts: RouteParts, call: Call<Record<string, unknown>>, apiKeyId?: string): Promise<RouteResponse> {
  const scope = { organizationId: call.organizationId, ...(apiKeyId === undefined ? {} : { apiKeyId }), ...reachOf(call, apiKeyId) };
  const query = parseUsageQuery({ ...call.query, ...call.body }, scope);
  const usage = await parts.usageStore.readUsage(query);
  return { ...ok(usage), headers: { 'x-weir-usage-range': `${instantKey(query.startMs)}/${instantKey(query.endMs)}` } };
}
