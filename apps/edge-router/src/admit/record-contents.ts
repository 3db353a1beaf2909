import type { ContentKeeper } from '../contents/create-content-keeper';
import type { RoutedRequest } from './routed-request';

/** Has the contents of a request kept that goes to a worker now; `body` as the caller sent it, in the caller's dialect. */
export function recordContents({ inbound, principal, call }: RoutedRequest, body: Buffer, contents: Pick<ContentKeeper, 'keep'>): void {
  const { scope, response } = inbound;
  const { organizationId, apiKeyId, userId, organization } = principal.key;
  contents.keep({
    ...{ organizationId, apiKeyId, userId, body, response },
    requestId: scope.id,
    receivedAtMs: scope.startedAtMs,
    days: organization.keepContentsDays ?? 0,
    guardrails: call.ruling.guardrails.guardrails,
  });
}
