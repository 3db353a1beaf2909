import type { DataRules, ModelGuard, OrganizationRules, OrganizationRulesCache, Principal } from '@weir/access';
import type { Modality, Passport } from '@weir/contracts';
import type { GatewayError } from '@weir/errors';
import type { ModelRecord } from '@weir/model-catalog';
import { planOwnKeys, widenMap, type AttemptPlan, type OwnKey, type RoutingMap } from '@weir/routing';
import type { IncomingHttpHeaders } from 'node:http';
import type { DataGuard } from '../data-rules/data-guard';
import type { OwnKeys } from '../own-keys/create-own-keys';
import { chooseGuardrails } from './choose-guardrails';

export type RulingParts = {
  readonly rules: Pick<OrganizationRulesCache, 'find'>;
  readonly dataGuard: DataGuard;
  readonly ownKeys: OwnKeys;
  readonly map: RoutingMap;
  readonly guard: Pick<ModelGuard, 'isAllowed'>;
};

/** What the organization of a caller has decided, as far as it concerns one request. */
export type Ruling = {
  readonly rules: OrganizationRules;
  readonly data: DataRules;
  /** The guardrails that hold for it, as its passport has them. */
  readonly guardrails: Pick<Passport, 'guardrails' | 'needs'>;
  /** With the providers that only the organization has an account with. */
  readonly map: RoutingMap;
  /** Why a model may not have the content of this request. */
  readonly checkRecord: (record: ModelRecord) => GatewayError | undefined;
  /** Puts the organization's own provider keys into a plan. */
  readonly addOwnKeys: (plan: AttemptPlan) => AttemptPlan;
};

type RuledRequest = {
  readonly principal: Principal;
  readonly modality: Modality;
  readonly headers: IncomingHttpHeaders;
  readonly json: Record<string, unknown>;
};

/** Throws `data_policy` where this gateway itself may not have the content, and `dependency_down` when rules cannot be read. */
export async function ruleRequest({ principal, modality, headers, json }: RuledRequest, parts: RulingParts): Promise<Ruling> {
  const { organizationId, organization } = principal.key;
  const data = parts.dataGuard.decide(organization, headers, json);
  const rules = await parts.rules.find(principal.key);
  const ownKeys = await parts.ownKeys.find(organizationId, rules);
  return buildRuling({ principal, modality, data, rules, ownKeys }, parts);
}

type RulingGrounds = Pick<RuledRequest, 'principal' | 'modality'> & {
  readonly data: DataRules;
  readonly rules: OrganizationRules;
  readonly ownKeys: readonly OwnKey[];
};

/** The ruling over requests of a caller, from what was read for it. */
export function buildRuling({ principal, modality, data, rules, ownKeys }: RulingGrounds, parts: RulingParts): Ruling {
  const { isRoutable } = parts.map;
  const map = widenMap(parts.map, ownKeys);
  const canUse = (record: ModelRecord): boolean =>
    map.isRoutable(record.provider, record.modality) && parts.guard.isAllowed(principal, record);
  return {
    rules,
    data,
    guardrails: chooseGuardrails(rules, principal.key),
    map,
    checkRecord: parts.dataGuard.createCheck(data, canUse),
    addOwnKeys: (plan) => {
      const attempts = planOwnKeys(plan.attempts, ownKeys, (id) => isRoutable(id, modality));
      return attempts === plan.attempts ? plan : { ...plan, attempts };
    },
  };
}
