import type { DataRules, KeyRecord, OrganizationRules, Principal } from '@weir/access';
import type { Attempt, EndpointRow, Passport } from '@weir/contracts';
import type { ParsedBody, RequestPriority } from '@weir/http-server';
import type { BoundRule } from '@weir/limits';
import type { AttemptPlan, OwnKey } from '@weir/routing';
import type { IncomingHttpHeaders } from 'node:http';
import { keepsContents } from '../contents/may-keep-contents';
import { bindLimits } from './bind-limits';
import { areFree, findPriority } from './check-load';
import { chooseRoute, type RoutingParts } from './choose-route';
import { describeCaller } from './describe-caller';
import { buildRuling, type Ruling, type RulingParts } from './rule-request';

/**
 * What is decided alike for every request of one key to one endpoint for one model: by the key's record, its organization's
 * rules and the catalogue. Made once, and never changed.
 */
export type PreparedCall = {
  readonly ruling: Ruling;
  readonly plan: AttemptPlan;
  /** Those of the plan, as passports have them: the same list and the same objects in each. */
  readonly attempts: Attempt[];
  readonly caller: Passport['caller'];
  readonly priority: RequestPriority;
  /** Only free models can serve it. */
  readonly isFree: boolean;
  /** What callers send and get is kept for their organization. */
  readonly keepsContents: boolean;
  /** Of the table of limits, those that can bind it. */
  readonly limits: readonly BoundRule[];
};

export type CallAsk = {
  readonly principal: Principal;
  readonly endpoint: EndpointRow;
  readonly modelId: string;
  readonly headers: IncomingHttpHeaders;
  readonly parsed: Pick<ParsedBody, 'json'>;
  readonly bodyBytes: number;
};

export type PreparedCalls = {
  /**
   * The prepared call of a request, at once where its organization's rules are known. Throws (or rejects with) the refusal of a
   * request that may not go where it wants to: refusals are not remembered.
   */
  find(ask: CallAsk): PreparedCall | Promise<PreparedCall>;
};

/** What a call is prepared from, besides what names it: with other objects than these it is prepared anew. */
type Grounds = {
  readonly data: DataRules;
  readonly rules: OrganizationRules;
  readonly ownKeys: readonly OwnKey[];
  readonly accounts: object | undefined;
  /** Of the catalogue: its models and their prices. */
  readonly catalog: object;
};

/** Models that one key asks for, by one endpoint or several. */
const CALLS_PER_KEY_MAX = 200;

/**
 * Prepares calls, and remembers them by the key's record: a record that was read again, rules that were read again, or other
 * provider keys make another call, and so does another catalogue. So a change is in force as soon as the caches of these have it.
 */
export function createPreparedCalls(parts: RulingParts & RoutingParts): PreparedCalls {
  const remembered = new WeakMap<KeyRecord, Map<string, PreparedCall & { readonly grounds: Grounds }>>();

  const { catalog } = parts.map;
  const accountsNow = (): object | undefined => parts.map.accounts?.version();

  const get = (ask: CallAsk, grounds: Grounds): PreparedCall => {
    const { principal, endpoint, modelId } = ask;
    const name = `${endpoint.id} ${modelId}`;
    let calls = remembered.get(principal.key);
    const known = calls?.get(name);
    if (known !== undefined && isSame(known.grounds, grounds)) return known;
    const call = { ...prepareCall(ask, grounds, parts), grounds };
    // By chance, by what is asked for, or by what is healthy: planned again for the next request.
    if (!call.plan.isSteady || !parts.dataGuard.isUsual(principal.key.organization, grounds.data)) return call;
    if (calls === undefined) remembered.set(principal.key, (calls = new Map()));
    if (calls.size >= CALLS_PER_KEY_MAX) calls.clear();
    calls.set(name, call);
    return call;
  };

  const findLater = async (ask: CallAsk, data: DataRules): Promise<PreparedCall> => {
    const { key } = ask.principal;
    const rules = await parts.rules.find(key);
    const ownKeys = await parts.ownKeys.find(key.organizationId, rules);
    return get(ask, { data, rules, ownKeys, accounts: accountsNow(), catalog: catalog.version() });
  };

  return {
    find: (ask) => {
      const { key } = ask.principal;
      const data = parts.dataGuard.decide(key.organization, ask.headers, ask.parsed.json);
      const rules = parts.rules.find(key);
      if (rules instanceof Promise) return findLater(ask, data);
      const ownKeys = parts.ownKeys.find(key.organizationId, rules);
      return ownKeys instanceof Promise
        ? findLater(ask, data)
        : get(ask, { data, rules, ownKeys, accounts: accountsNow(), catalog: catalog.version() });
    },
  };
}

function prepareCall(
  ask: CallAsk,
  { data, rules, ownKeys }: Omit<Grounds, 'accounts' | 'catalog'>,
  parts: RulingParts & RoutingParts,
): PreparedCall {
  const { principal, endpoint } = ask;
  const { modality = 'chat' } = endpoint;
  const ruling = buildRuling({ principal, modality, data, rules, ownKeys }, parts);
  const plan = chooseRoute({ ...ask, ruling }, parts);
  return {
    ruling,
    plan,
    attempts: [...plan.attempts],
    caller: describeCaller(principal),
    priority: findPriority(principal, plan.attempts),
    isFree: areFree(plan.attempts),
    keepsContents: keepsContents(principal.key.organization, data, endpoint),
    limits: bindLimits(rules, { key: principal.key, modality, attempts: plan.attempts }),
  };
}

function isSame(one: Grounds, other: Grounds): boolean {
  return (
    one.catalog === other.catalog &&
    one.data === other.data &&
    one.rules === other.rules &&
    one.accounts === other.accounts &&
    areSameKeys(one.ownKeys, other.ownKeys)
  );
}

function areSameKeys(some: readonly OwnKey[], others: readonly OwnKey[]): boolean {
  return some === others || (some.length === others.length && some.every((key, index) => key === others[index]));
}
