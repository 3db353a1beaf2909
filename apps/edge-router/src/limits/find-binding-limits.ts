import { checkKeyUsable, type KeyRecord } from '@weir/access';
import type { Attempt, EndpointRow } from '@weir/contracts';
import { bindRules, planRules, type BoundRule, type LimitRule, type PlannedLimit } from '@weir/limits';
import type { IncomingHttpHeaders } from 'node:http';
import { readLimits } from '../admit/bind-limits';
import { chooseRoute } from '../admit/choose-route';
import type { DecidingParts } from '../admit/decide-request';
import { recognizeEndpoint } from '../admit/recognize-dialect';
import { ruleRequest } from '../admit/rule-request';

export type LimitsAsk = {
  readonly key: KeyRecord;
  readonly headers: IncomingHttpHeaders;
  readonly user: string | null;
  readonly model: string | null;
  readonly atMs: number;
};

/** A limit of the table that binds a key, with what was written of it. */
export type BindingRule = { readonly limit: PlannedLimit; readonly rule: LimitRule };

export type BindingRules = {
  /** The model that was asked about, by its full id; null where none was. */
  readonly modelId: string | null;
  /** Where requests for it go; null where no model was asked about. */
  readonly attempts: readonly Attempt[] | null;
  readonly endpoint: EndpointRow | null;
  readonly rules: readonly BindingRule[];
};

/** The limits of the table that bind a key now: of one model, or of all of them. Throws the refusal where the model cannot be used. */
export async function findBindingRules(ask: LimitsAsk, parts: DecidingParts): Promise<BindingRules> {
  const { key, model } = ask;
  if (model === null) {
    const rules = readLimits(await parts.rules.find(key), key);
    return { modelId: null, attempts: null, endpoint: null, rules: plan(bindAll(rules, key), ask) };
  }
  const parsed = { json: { model } };
  const endpoint = recognizeEndpoint(parsed.json, ask.headers, parts.map.catalog);
  const { modality = 'chat' } = endpoint;
  const principal = checkKeyUsable(key, ask.atMs);
  const ruling = await ruleRequest({ principal, modality, headers: ask.headers, json: parsed.json }, parts);
  const route = chooseRoute({ principal, ruling, endpoint, modelId: model, headers: ask.headers, parsed, bodyBytes: 0 }, parts);
  const { attempts, requested } = route;
  const bound = bindRules(readLimits(ruling.rules, key), { key, modality, attempts });
  return { modelId: requested, attempts, endpoint, rules: plan(bound, ask) };
}

const ANYWHERE = [{ modelId: '', providerId: '' }];

/** Whatever models, providers and modalities they are about. */
function bindAll(rules: readonly LimitRule[], key: KeyRecord): BoundRule[] {
  return rules.flatMap((rule) => {
    const { modalities } = rule.document;
    const whole: LimitRule = { ...rule, matchesModel: null, matchesProvider: null };
    return bindRules([whole], { key, modality: modalities?.[0] ?? 'chat', attempts: ANYWHERE });
  });
}

function plan(bound: readonly BoundRule[], { atMs, user }: LimitsAsk): BindingRule[] {
  return planRules(bound, { atMs, endUserId: user, isStream: true }).flatMap((limit) => {
    const found = bound.find(({ rule }) => rule.limitId === limit.rule?.limitId);
    return found === undefined ? [] : [{ limit, rule: found.rule }];
  });
}
