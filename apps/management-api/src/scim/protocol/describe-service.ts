import type { ResourceKind, ScimAttribute, ScimDocument, ScimSchema } from './attribute';
import { GROUP_KIND } from './group-kind';
import { COUNT_MAX } from './list-query';
import { USER_KIND } from './user-kind';

export const SCIM_PATH = '/scim/v2';
export const KINDS: readonly ResourceKind[] = [USER_KIND, GROUP_KIND];

const metaOf = (resourceType: string, path: string): ScimDocument => ({ resourceType, location: `${SCIM_PATH}${path}` });

/** What this service can do (RFC 7643, 5). */
export const SERVICE_PROVIDER_CONFIG: ScimDocument = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: COUNT_MAX },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    {
      ...{ type: 'oauthbearertoken', name: 'API key', description: 'An API key of an administrator with manage: write, as bearer token.' },
      primary: true,
    },
  ],
  meta: metaOf('ServiceProviderConfig', '/ServiceProviderConfig'),
};

export const RESOURCE_TYPES: readonly ScimDocument[] = KINDS.map(({ name, path, about, schema, extensions }) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
  ...{ id: name, name, endpoint: path, description: about, schema: schema.id },
  ...(extensions.length === 0 ? {} : { schemaExtensions: extensions.map(({ id }) => ({ schema: id, required: false })) }),
  meta: metaOf('ResourceType', `/ResourceTypes/${name}`),
}));

export const SCHEMAS: readonly ScimDocument[] = KINDS.flatMap(({ schema, extensions }) => [schema, ...extensions]).map(describeSchema);

function describeSchema({ id, name, about, attributes }: ScimSchema): ScimDocument {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    ...{ id, name, description: about, attributes: attributes.map(describeAttribute) },
    meta: metaOf('Schema', `/Schemas/${id}`),
  };
}

function describeAttribute(attribute: ScimAttribute): ScimDocument {
  const { name, type, about, isMultiple, isRequired, isCaseExact, isReadOnly, isUnique, words, refersTo, parts } = attribute;
  return {
    ...{ name, type, multiValued: isMultiple === true, description: about, required: isRequired === true },
    caseExact: isCaseExact === true,
    mutability: isReadOnly === true ? 'readOnly' : 'readWrite',
    ...{ returned: 'default', uniqueness: isUnique === true ? 'server' : 'none' },
    ...(words === undefined ? {} : { canonicalValues: words }),
    ...(refersTo === undefined ? {} : { referenceTypes: refersTo }),
    ...(parts === undefined ? {} : { subAttributes: parts.map(describeAttribute) }),
  };
}

/** A page of a list (RFC 7644, 3.4.2). */
export function listResponse(total: number, resources: readonly ScimDocument[], startIndex = 1): ScimDocument {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    ...{ totalResults: total, startIndex, itemsPerPage: resources.length, Resources: resources },
  };
}
