import type { OrganizationRule } from '@weir/access';
import { canonicalJson, digestJson, isLargeText, type ParsedBody } from '@weir/http-server';
import type { AttemptPlan } from '@weir/routing';
import { readExtension } from '../request/read-request-metadata';
import type { Ruling } from './rule-request';
import type { ReplayAsk } from '../replay/replay-ask';
import type { InboundRequest } from '../request/inbound-request';

export type ReplayedRequest = InboundRequest & {
  readonly apiKeyId: string;
  readonly organizationId: string;
  readonly parsed: ParsedBody;
  readonly ruling: Ruling;
  readonly plan: AttemptPlan;
};

/** What replays have to know of an admitted request. The gateway's own `weir` object does not change the response. */
export function createReplayAsk(replayed: ReplayedRequest): ReplayAsk {
  const { request, response, scope, parsed, ruling, plan } = replayed;
  // Every request comes by here: members by name, because copying the rest of an object costs a microsecond or more.
  return {
    organizationId: replayed.organizationId,
    apiKeyId: replayed.apiKeyId,
    requestId: scope.id,
    endpointId: scope.endpoint.id,
    headers: request.headers,
    fingerprint: () => {
      const { weir: _, requesty: __, ...body } = parsed.json;
      return isLargeText(parsed.text) ? digestJson(body) : canonicalJson(body);
    },
    extension: readExtension(parsed.json),
    circumstances: () => {
      const { policies, aliases } = ruling.rules;
      const { guardrails = [] } = ruling.guardrails;
      const versions = [policies, aliases, guardrails].map((some) => some.map(nameVersion));
      return JSON.stringify([plan.attempts.map(({ modelId, providerId }) => [modelId, providerId]), versions]);
    },
    isZeroRetention: ruling.data.isZeroRetention,
    response,
  };
}

function nameVersion({ id, version }: Pick<OrganizationRule, 'id' | 'version'>): string {
  return `${id}@${version}`;
}
