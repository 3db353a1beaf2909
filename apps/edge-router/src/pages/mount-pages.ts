import { createApiDocument, PUBLISHED_SCHEMAS } from '@weir/api-description';
import { ENDPOINTS, getEndpoint, type EndpointRow } from '@weir/contracts';
import { mountApiPages } from '@weir/http-server';
import type { Express, RequestHandler } from 'express';
import { createCheckKey } from './check-key';
import { createListModels, createReadModel, type ListModelsParts } from './list-models';
import { createListPolicies } from './list-policies';

type PageParts = ListModelsParts & { readonly hasConsole: boolean };

/** Mounts the edge's own pages: model lists, the key check, and the root that clients probe. */
export function mountPages(app: Express, parts: PageParts): void {
  app.get('/', createRootPage(parts));
  mountApiPages(app, createApiDocument, PUBLISHED_SCHEMAS);
  app.get('/v1/auth/check', createCheckKey(parts.authenticator));
  app.get('/v1/models/managed', createListPolicies(getEndpoint('models-managed'), parts));
  const rows: readonly EndpointRow[] = ENDPOINTS;
  for (const row of rows) {
    if (row.id.startsWith('models') && row.id !== 'models-managed') app.get(row.path, createListModels(row, parts));
  }
  // Ids have slashes, which some clients encode and others do not.
  app.get('/v1/models/*id', createReadModel(getEndpoint('read-model'), parts));
}

/** Programs get a word about where they are; people, who come with a browser, the console. */
function createRootPage({ hasConsole }: PageParts): RequestHandler {
  return (request, response) => {
    response.vary('accept');
    if (hasConsole && request.get('accept')?.includes('text/html') === true) response.redirect(302, '/console/');
    else response.json({ name: 'weir', documentation: '/docs', models: '/v1/models' });
  };
}
