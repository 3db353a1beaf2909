import { listResponse, RESOURCE_TYPES, SCHEMAS, SERVICE_PROVIDER_CONFIG } from '../../scim/protocol/describe-service';
import { noResource } from '../../scim/protocol/refusals';
import type { ScimDocument } from '../../scim/protocol/attribute';
import { defineRoute, noBody, ok, type RouteResponse } from '../../route/route';

export const readConfiguration = defineRoute({
  id: 'scim-read-configuration',
  body: noBody,
  run: () => Promise.resolve(ok(SERVICE_PROVIDER_CONFIG)),
});

export const listResourceTypes = defineRoute({
  id: 'scim-list-resource-types',
  body: noBody,
  run: () => Promise.resolve(ok(listResponse(RESOURCE_TYPES.length, RESOURCE_TYPES))),
});

export const readResourceType = defineRoute({
  id: 'scim-read-resource-type',
  body: noBody,
  run: ({ params }) => Promise.resolve(find(RESOURCE_TYPES, 'resource type', params['id'])),
});

export const listSchemas = defineRoute({
  id: 'scim-list-schemas',
  body: noBody,
  run: () => Promise.resolve(ok(listResponse(SCHEMAS.length, SCHEMAS))),
});

export const readSchema = defineRoute({
  id: 'scim-read-schema',
  body: noBody,
  run: ({ params }) => Promise.resolve(find(SCHEMAS, 'schema', params['id'])),
});

function find(among: readonly ScimDocument[], kind: string, id = ''): RouteResponse {
  const found = among.find((one) => one['id'] === id);
  if (found === undefined) throw noResource(kind, id);
  return ok(found);
}
