import { currencyCode, type UsageResponse } from '@weir/contracts';
import { addMoney, planMoneyQuery } from '@weir/finance';
import { instantKey, parseUsageQuery, type UsageQuery, type UsageScope } from '@weir/usage';
import { z } from 'zod';
import { parseBody } from '../bodies/parse-body';
import { checkCurrency, loadDayRates } from '../finance/day-rates';
import type { RouteParts } from '../route/management-parts';
import { ok, type RouteResponse, type Call } from '../route/route';

type UsageCall = Call<Record<string, unknown>>;

/** A key may always see its own usage; of other usage it sees what its owner's roles reach. */
function reachOf({ authority, principal }: Call<unknown>, apiKeyId?: string): Pick<UsageScope, 'reach'> {
  if (authority.kind === 'organization-admin' || apiKeyId === principal.key.apiKeyId) return {};
  return { reach: { userId: authority.userId, groupIds: authority.adminOf } };
}

function readQuery(call: UsageCall, input: Readonly<Record<string, unknown>>, apiKeyId?: string): UsageQuery {
  const scope = { organizationId: call.organizationId, ...(apiKeyId === undefined ? {} : { apiKeyId }), ...reachOf(call, apiKeyId) };
  return parseUsageQuery(input, scope);
}

/** Parameters come in the query, in a JSON body (which proxies may lose), or in both; the body then wins. */
function readInput({ query, body }: UsageCall): Record<string, unknown> {
  return { ...query, ...body };
}

function respond(query: UsageQuery, result: object): RouteResponse {
  return { ...ok(result), headers: { 'x-weir-usage-range': `${instantKey(query.startMs)}/${instantKey(query.endMs)}` } };
}

const ofMoney = z.strictObject({ currency: currencyCode.optional() });

export async function respondWithUsage(parts: RouteParts, call: UsageCall, apiKeyId?: string): Promise<RouteResponse> {
  const { currency: asked, ...input } = readInput(call);
  const { currency } = parseBody(ofMoney, asked === undefined ? {} : { currency: asked });
  const query = readQuery(call, input, apiKeyId);
  const usage = await parts.usageStore.readUsage(query);
  return respond(query, currency === undefined ? usage : await convertUsage(parts, query, { usage, currency }));
}

type Converted = { readonly usage: UsageResponse; readonly currency: string };

/** What was used by the day is read apart: should usage be counted in between, the converted amounts are of that moment. */
async function convertUsage(parts: RouteParts, query: UsageQuery, { usage, currency }: Converted): Promise<UsageResponse> {
  checkCurrency(currency);
  const ofDays = planMoneyQuery(query);
  const detail = ofDays === query ? usage : await parts.usageStore.readUsage(ofDays);
  const span = { currency, startMs: query.startMs, endMs: query.endMs };
  const rates = await parts.database.asOrganization(query.organizationId).transact((tx) => loadDayRates(tx, span));
  return { ...usage, ...addMoney(usage.usage, detail.usage, { resolution: query.resolution, groupBy: query.groupBy, rates }) };
}

export async function respondWithPerformance(parts: RouteParts, call: UsageCall): Promise<RouteResponse> {
  const query = readQuery(call, readInput(call));
  return respond(query, await parts.usageStore.readPerformance(query));
}
