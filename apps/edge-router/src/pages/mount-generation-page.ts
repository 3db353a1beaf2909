import { checkPermission, readCredential, type Authenticator, type Principal } from '@weir/access';
import { getEndpoint, type PriceSheet, type UsageEvent } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { ModelCatalog } from '@weir/model-catalog';
import { parseGenerationQuery, type GenerationReader, type GenerationScope } from '@weir/usage';
import type { Express } from 'express';
import { describeGeneration } from './describe-generation';
import { describeGenerationPage } from './describe-generation-page';

type GenerationPageParts = {
  readonly authenticator: Authenticator;
  readonly generations: GenerationReader;
  readonly catalog: Pick<ModelCatalog, 'findPriceSheet'>;
};

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,200}$/;

/** Mounts `GET /v1/generation`: the requests that a key may read about, newest first. */
export function mountGenerationList(app: Express, { authenticator, generations }: Omit<GenerationPageParts, 'catalog'>): void {
  const endpoint = getEndpoint('list-generations');
  app.get(endpoint.path, async (request, response) => {
    const principal = await authenticator.authenticate(readCredential(request.headers, endpoint.preferredCredential));
    checkMayRead(principal);
    const query = parseGenerationQuery(request.query, scopeOf(principal));
    const page = await generations.listGenerations(query).catch(sayUnreachable);
    response.setHeader('cache-control', 'no-store');
    response.json(describeGenerationPage(page, query));
  });
}

/** Mounts `GET /v1/generation/{request_id}`: what became of a request, for the keys of the member who made it and of administrators. */
export function mountGenerationPage(app: Express, { authenticator, generations, catalog }: GenerationPageParts): void {
  const findPrices = createPriceFinder(catalog);
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
    const names = await generations.findNames(first).catch(sayUnreachable);
    response.setHeader('cache-control', 'no-store');
    response.json({ generation: describeGeneration([first, ...rest], { names, findPrices }) });
  });
}

function checkMayRead(principal: Principal): void {
  if (principal.key.permissions.manage !== 'none') return;
  checkPermission(principal, { kind: 'completions', level: 'read' });
}

/** Members see what they used themselves, as in usage. What they may not see is a 404, like what does not exist. */
function maySee({ key }: Principal, event: Pick<UsageEvent, 'api_key_id' | 'user_id'>): boolean {
  return seesAll(key) || event.api_key_id === key.apiKeyId || (key.userId !== null && event.user_id === key.userId);
}

/** The same of a whole list, for the store to decide. */
function scopeOf({ key }: Principal): GenerationScope {
  const { organizationId, apiKeyId, userId } = key;
  return { organizationId, own: seesAll(key) ? null : { apiKeyId, userId } };
}

/** A key that an administrator gave to a program without the permission to manage shows no one else's requests. */
function seesAll({ isAdministrator, permissions }: Principal['key']): boolean {
  return isAdministrator && permissions.manage !== 'none';
}

function createPriceFinder(catalog: GenerationPageParts['catalog']) {
  return ({ model_used: model, price_version: version }: Pick<UsageEvent, 'model_used' | 'price_version'>): PriceSheet | undefined =>
    catalog.findPriceSheet({ id: model }, version);
}

function find(generations: GenerationReader, organizationId: string, requestId: string): Promise<readonly UsageEvent[]> {
  return generations.findEvents(organizationId, requestId).catch(sayUnreachable);
}

function sayUnreachable(cause: unknown): never {
  if (cause instanceof GatewayError) throw cause;
  throw new GatewayError('dependency_down', 'The request could not be looked up at the moment. Try again shortly.', { cause });
}
