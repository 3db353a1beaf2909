import type { OrganizationRule } from '@weir/access';
import { fingerprintJson, fingerprintLongJson, isLargeText, type ReceivedForm } from '@weir/http-server';
import { readExtension } from '../request/read-request-metadata';
import type { RoutedRequest } from './routed-request';
import type { ReplayAsk } from '../replay/replay-ask';
import { fingerprintForm } from './read-form';

/** The gateway's own object does not change the response. */
const OWN_MEMBERS: ReadonlySet<string> = new Set(['weir', 'requesty']);

/** What replays have to know of a request that one concerns. `form`: what came instead of JSON. */
export function createReplayAsk(
  { inbound, principal, parsed, call: { ruling, plan } }: RoutedRequest,
  form: ReceivedForm | undefined,
): ReplayAsk {
  const { request, response, scope } = inbound;
  const { organizationId, apiKeyId } = principal.key;
  return {
    organizationId,
    apiKeyId,
    requestId: scope.id,
    endpointId: scope.endpoint.id,
    headers: request.headers,
    fingerprint: () => {
      if (form !== undefined) return fingerprintForm(form);
      const { text } = parsed;
      return isLargeText(text) ? fingerprintLongJson(text, OWN_MEMBERS) : fingerprintJson(text, OWN_MEMBERS);
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
