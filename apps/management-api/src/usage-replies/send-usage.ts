import { usageReplyParameters, type UsageResponse } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { addMoney, planMoneyQuery, type DayRates, type PriceList } from '@weir/finance';
import { fillPeriods, instantKey, parseUsageQuery, type UsageQuery, type UsageScope } from '@weir/usage';
import { parseBody } from '../bodies/parse-body';
import { checkCurrency, loadDayRates } from '../finance/day-rates';
import { loadPriceList } from '../finance/price-list';
import type { RouteParts } from '../route/management-parts';
import { ok, type RouteResponse, type Call } from '../route/route';

type UsageCall = Call<Record<string, unknown>>;

/** A key may always see its own usage; of other usage it sees what its owner's roles reach. */
function reachOf({ authority, principal }: Call<unknown>, apiKeyId?: string): Pick<UsageScope, 'reach'> {
  if (authority.kind === 'organization-admin' || apiKeyId === principal.key.apiKeyId) return {};
  return { reach: { userId: authority.userId, groupIds: authority.adminOf } };
}

type Asked = {
  readonly input: Readonly<Record<string, unknown>>;
  readonly apiKeyId?: string | undefined;
  readonly months?: number | undefined;
};

function readQuery(call: UsageCall, { input, apiKeyId, months }: Asked): UsageQuery {
  const scope = { organizationId: call.organizationId, ...(apiKeyId === undefined ? {} : { apiKeyId }), ...reachOf(call, apiKeyId) };
  return parseUsageQuery(input, scope, months);
}

/** Parameters come in the query, in a JSON body (which proxies may lose), or in both; the body then wins. */
function readInput({ query, body }: UsageCall): Record<string, unknown> {
  return { ...query, ...body };
}

function respond(query: UsageQuery, result: object): RouteResponse {
  return { ...ok(result), headers: { 'x-weir-usage-range': `${instantKey(query.startMs)}/${instantKey(query.endMs)}` } };
}

export async function respondWithUsage(parts: RouteParts, call: UsageCall, apiKeyId?: string): Promise<RouteResponse> {
  const { currency: code, fill: filling, months: count, ...input } = readInput(call);
  const own = Object.entries({ currency: code, fill: filling, months: count }).filter(([, value]) => value !== undefined);
  const { currency, fill, months } = parseBody(usageReplyParameters, Object.fromEntries(own));
  const query = readQuery(call, { input, apiKeyId, months });
  if (currency !== undefined) checkCurrency(currency);
  const terms = await parts.database.asOrganization(query.organizationId).transact((tx) => loadTerms(tx, query, currency));
  const counted = await parts.usageStore.readUsage(query);
  const usage = fill === undefined ? counted : { ...counted, usage: fillPeriods(counted.usage, query) };
  return respond(query, isPlain(terms) ? usage : await addTerms(parts, query, { usage, terms }));
}

type Terms = { readonly prices: PriceList; readonly rates: DayRates | undefined };

async function loadTerms(tx: Prisma.TransactionClient, query: UsageQuery, currency: string | undefined): Promise<Terms> {
  const { organizationId, startMs, endMs } = query;
  const prices = await loadPriceList(tx, organizationId);
  return { prices, rates: currency === undefined ? undefined : await loadDayRates(tx, { currency, startMs, endMs }) };
}

function isPlain({ prices, rates }: Terms): boolean {
  return prices.isEmpty && rates === undefined;
}

type WithTerms = { readonly usage: UsageResponse; readonly terms: Terms };

/** What was used by the day is read apart: should usage be counted in between, the added amounts are of that moment. */
async function addTerms(parts: RouteParts, query: UsageQuery, { usage, terms }: WithTerms): Promise<UsageResponse> {
  const detail = await parts.usageStore.readUsage(planMoneyQuery(query, terms.prices));
  return { ...usage, ...addMoney(usage.usage, detail.usage, { resolution: query.resolution, groupBy: query.groupBy, ...terms }) };
}

export async function respondWithPerformance(parts: RouteParts, call: UsageCall): Promise<RouteResponse> {
  const query = readQuery(call, { input: readInput(call) });
  return respond(query, await parts.usageStore.readPerformance(query));
}
