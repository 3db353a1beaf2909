import { readCredential, type Authenticator, type KeyLookup, type KeyRecord } from '@weir/access';
import { getEndpoint, limitsQuery, validateBody, type LimitsQuery } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { createLimitPlanner, findFreeSlot, freeModelLimit, type LimitPolicy, type PlannedLimit } from '@weir/limits';
import { DAY_MS, periodStart } from '@weir/usage';
import type { Express } from 'express';
import type { DecidingParts } from '../admit/decide-request';
import { describeBindingRule, describeCounted, describeSetting } from './describe-binding-limits';
import { findBindingRules, type BindingRules, type LimitsAsk } from './find-binding-limits';
import { findLimitedKey } from './find-limited-key';
import { readLimitStates, type StateStores } from './read-limit-states';

export type LimitsPageParts = {
  readonly authenticator: Pick<Authenticator, 'authenticate'>;
  readonly keys: KeyLookup;
  readonly deciding: DecidingParts;
  readonly stores: StateStores;
  readonly policy: LimitPolicy;
};

/** `GET /v1/limits`: what a key's requests have to fit now, and how full it is. Nothing is taken or counted. */
export function mountLimitsPage(app: Express, parts: LimitsPageParts): void {
  const endpoint = getEndpoint('limits');
  const planSettings = createLimitPlanner(parts.policy);
  app.get(endpoint.path, async (request, response) => {
    const caller = await parts.authenticator.authenticate(readCredential(request.headers, endpoint.preferredCredential));
    const { user = null, model = null, api_key_id: apiKeyId } = readQuery(request.query);
    const key = await findLimitedKey(caller, apiKeyId, parts.keys);
    const ask: LimitsAsk = { key, headers: request.headers, user, model, atMs: parts.deciding.now() };
    const found = await findBindingRules(ask, parts.deciding);
    const settings = bindsMoney(found) ? planSettings(key, { atMs: ask.atMs, isBilled: isBilled(found) }).limits : [];
    const limits = await describeLimits(ask, { found, settings }, parts);
    response.setHeader('cache-control', 'no-store');
    response.json({
      object: 'limits',
      as_of: new Date(ask.atMs).toISOString(),
      api_key: { id: key.apiKeyId, name: key.name },
      model: found.modelId,
      user,
      limits,
    });
  });
}

/** Throws `invalid_request` or `unsupported_field`, naming the field. */
function readQuery(query: object): LimitsQuery {
  const { data, problems } = validateBody(limitsQuery, query);
  if (problems === undefined) return data;
  const { field = '', problem = 'is not what this endpoint takes', isUnknown = false } = problems[0] ?? {};
  if (isUnknown) throw new GatewayError('unsupported_field', `Unknown parameter \`${field}\`.`, { field });
  throw new GatewayError('invalid_request', `\`${field}\` ${problem}.`, { field });
}

/** Models that cost nothing are stopped by no money. */
function bindsMoney({ attempts }: BindingRules): boolean {
  return attempts === null || !attempts.every(({ isFree }) => isFree);
}

function isBilled({ attempts }: BindingRules): boolean {
  return attempts === null || !attempts.every(({ isByok }) => isByok);
}

type Found = { readonly found: BindingRules; readonly settings: readonly PlannedLimit[] };

async function describeLimits({ key, atMs }: LimitsAsk, { found, settings }: Found, parts: LimitsPageParts): Promise<object[]> {
  const planned = [...settings, ...found.rules.map(({ limit }) => limit)];
  const [states, freeModels] = await Promise.all([
    readLimitStates(key.organizationId, planned, parts.stores),
    describeFreeModels(key, { found, atMs }, parts),
  ]);
  const stateOf = (place: number) => states[place] ?? { used: 0n, held: 0n };
  return [
    ...settings.map((limit, place) => describeSetting(limit, stateOf(place), atMs)),
    ...describeRate(key),
    ...freeModels,
    ...found.rules.map((rule, place) => describeBindingRule(rule, stateOf(settings.length + place), atMs)),
  ];
}

function describeRate({ userId, memberRateLimitRpm: limit }: KeyRecord): object[] {
  if (userId === null || limit === null) return [];
  return [describeCounted('member_rate', { limit, used: null, startsAtMs: null, freesAtMs: null })];
}

async function describeFreeModels(
  key: KeyRecord,
  { found: { attempts, endpoint }, atMs }: { readonly found: BindingRules; readonly atMs: number },
  { deciding }: LimitsPageParts,
): Promise<object[]> {
  const request = { endpointId: endpoint?.id ?? '', admittedAtMs: atMs, requestId: '', caller: key };
  const slot = findFreeSlot({ ...request, attempts: attempts ?? [{ isFree: true, isByok: false }] });
  if (slot === undefined) return [];
  const used = await deciding.freeModelDays.readUsed(slot).catch((cause: unknown) => {
    throw new GatewayError('dependency_down', 'Limits cannot be read at the moment. Try again shortly.', { cause, retryAfterSeconds: 5 });
  });
  const startsAtMs = periodStart('day', atMs);
  const limit = freeModelLimit(key.organization.tier);
  return [describeCounted('free_models', { limit, used, startsAtMs, freesAtMs: startsAtMs + DAY_MS })];
}
