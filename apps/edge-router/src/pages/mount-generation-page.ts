import { checkPermission, readCredential, type Authenticator, type Principal } from '@weir/access';
import { getEndpoint, type UsageEvent } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { GenerationReader } from '@weir/usage';
import type { Express } from 'express';
import { describeGeneration } from './describe-generation';

type GenerationPageParts = { readonly authenticator: Authenticator; readonly generations: GenerationReader };

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,200}$/;

/** Mounts `GET /v1/generation/{request_id}`: what became of a request, for the keys of the member who made it and of administrators. */
export function mountGenerationPage(app: Express, { authenticator, generations }: GenerationPageParts): void {
  const endpoint = getEndpoint('generation');
  app.get(endpoint.path, async (request, response) => {
    const principal = await authenticator.authenticate(readCredential(request.headers, endpoint.preferredCredential));
    checkMayRead(principal);
    const { request_id: requestId = '' } = request.params as { readonly request_id?: string };
    const found = REQUEST_ID.test(requestId) ? await find(generations, principal.key.organizationId, requestId) : [];
    const events = found.filter((event) => maySee(principal, event));
    const [first, ...rest] = events;
    // The event that ended the request comes last: until it is here, the attempts are incomplete.
    if (first === undefined || !events.some(({ logical }) => logical)) {
      throw new GatewayError(
        'not_found',
        'Nothing is known of this request: it was refused before it was sent anywhere, was answered with an earlier answer, has not ended or not been counted yet, or is too old.',
      );
    }
    response.setHeader('cache-control', 'no-store');
    response.json({ generation: describeGeneration([first, ...rest]) });
  });
}

function checkMayRead(principal: Principal): void {
  if (principal.key.permissions.manage !== 'none') return;
  checkPermission(principal, { kind: 'completions', level: 'read' });
}

/** Members see what they used themselves, as in usage. What they may not see is a 404, like what does not exist. */
function maySee({ key }: Principal, event: Pick<UsageEvent, 'api_key_id' | 'user_id'>): boolean {
  return key.isAdministrator || event.api_key_id === key.apiKeyId || (key.userId !== null && event.user_id === key.userId);
}

function find(generations: GenerationReader, organizationId: string, requestId: string): Promise<readonly UsageEvent[]> {
  return generations.findEvents(organizationId, requestId).catch((cause: unknown) => {
    throw new GatewayError('dependency_down', 'The request could not be looked up at the moment. Try again shortly.', { cause });
  });
}
