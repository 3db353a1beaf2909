import { ENDPOINTS, type EndpointRow } from '@weir/contracts';
import { convertNamedSchemas, type JsonSchema, type Openness } from './document/convert-schemas';
import { listErrors } from './document/describe-errors';
import { describeHeaderComponents, PARAMETERS } from './document/describe-headers';
import { describeOperation } from './document/describe-operation';
import { describeServicePages } from './document/describe-service-pages';
import { INTRODUCTION } from './document/introduction';
import { describeWebhooks } from './document/describe-webhooks';
import { TAGS, type Operation } from './operations/operation';
import { OPERATIONS } from './operations';

export type ApiDocument = JsonSchema & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: JsonSchema & { readonly schemas: Readonly<Record<string, JsonSchema>> };
};

type ApiDocumentOptions = {
  /** `closed`: replies with a member that is not described do not fit. For tests; the published document is open. */
  readonly replies?: Openness;
};

/** The public interface as an OpenAPI 3.1 document: a path item for every row of the endpoint table. */
export function createApiDocument({ replies = 'open' }: ApiDocumentOptions = {}): ApiDocument {
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const row of ENDPOINTS as readonly EndpointRow[]) {
    const path = toTemplate(row.path);
    (paths[path] ??= {})[row.method.toLowerCase()] = describeOperation(row, findOperation(row));
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Weir',
      version: '1',
      description: INTRODUCTION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'Where this document came from' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: { ...paths, ...describeServicePages() } as ApiDocument['paths'],
    webhooks: describeWebhooks(),
    components: {
      schemas: convertNamedSchemas(replies),
      headers: describeHeaderComponents(),
      parameters: PARAMETERS,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Where both are sent and differ, this one counts, but on `/v1/messages`.' },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      },
    },
    'x-error-codes': listErrors(),
  };
}

/** `/v1/group/:id` as this format writes it: `/v1/group/{id}`. */
export function toTemplate(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

/** A row that no one has said anything about yet is described by what the row itself says. */
function findOperation({ id }: EndpointRow): Operation {
  const found = OPERATIONS.find((operation) => operation.id === id);
  return found ?? { id, tag: 'Service', summary: id, responses: { 200: { about: 'Done.' } }, examples: [{ summary: id, status: 200 }] };
}
