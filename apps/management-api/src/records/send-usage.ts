import { instantKey, parseUsageQuery, type UsageQuery, type UsageScope } from '@weir/usage';
import type { RouteParts } from '../route/management-parts';
import { ok, type RouteResponse, type Call } from '../route/route';

/** A key may always see its own usage; of other usage it sees what its owner's roles reach. */
function reachOf({ authority, principal }: Call<unknown>, apiKeyId?: string): Pick<UsageScope, 'reach'> {
  if (authority.kind === 'organization-admin' || apiKeyId === principal.key.apiKeyId) return {};
  return { reach: { userId: authority.userId, groupIds: authority.adminOf } };
}

/** Parameters come in the query, in a JSON body (which proxies may lose), or in both; the body then wins. */
function readQuery(call: Call<Record<string, unknown>>, apiKeyId?: string): UsageQuery {
  const scope = { organizationId: call.organizationId, ...(apiKeyId === undefined ? {} : { apiKeyId }), ...reachOf(call, apiKeyId) };
  return parseUsageQuery({ ...call.query, ...call.body }, scope);
}

function respond(query: UsageQuery, result: object): RouteResponse {
  return { ...ok(result), headers: { 'x-weir-usage-range': `${instantKey(query.startMs)}/${instantKey(query.endMs)}` } };
}

export async function respondWithUsage(parts: RouteParts, call: Call<Record<string, unknown>>, apiKeyId?: string): Promise<RouteResponse> {
  const query = readQuery(call, apiKeyId);
  return respond(query, await parts.usageStore.readUsage(query));
}

export async function respondWithPerformance(parts: RouteParts, call: Call<Record<string, unknown>>): Promise<RouteResponse> {
  const query = readQuery(call);
  return respond(query, await parts.usageStore.readPerformance(query));
}
