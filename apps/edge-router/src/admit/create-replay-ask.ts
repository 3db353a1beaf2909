import type { OrganizationRule } from '@weir/access';
import { canonicalJson, digestJson, isLargeText } from '@weir/http-server';
import { readExtension } from '../request/read-request-metadata';
import type { RoutedRequest } from './routed-request';
import type { ReplayAsk } from '../replay/replay-ask';

/** What replays have to know of a request that one concerns. The gateway's own `weir` object does not change the response. */
export function createReplayAsk({ inbound, principal, parsed, call: { ruling, plan } }: RoutedRequest): ReplayAsk {
  const { request, response, scope } = inbound;
  const { organizationId, apiKeyId } = principal.key;
  return {
    organizationId,
    apiKeyId,
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
