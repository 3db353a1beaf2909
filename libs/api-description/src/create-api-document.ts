import { ENDPOINTS, type EndpointRow } from '@weir/contracts';
import { convertNamedSchemas, type JsonSchema, type Openness } from './document/convert-schemas';
import { listErrors } from './document/describe-errors';
import { describeHeaderComponents, describeOperation } from './document/describe-operation';
import { describeServicePages } from './document/describe-service-pages';
import { INTRODUCTION } from './document/introduction';
import { TAGS, type Operation } from './operation';
import { OPERATIONS } from './operations';

export type ApiDocument = JsonSchema & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: JsonSchema & { readonly schemas: Readonly<Record<string, JsonSchema>> };
};

export type ApiDocumentOptions = {
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

/** A row that nobody has said anything about yet is described by what the row itself says. */
function findOperation({ id }: EndpointRow): Operation {
  const found = OPERATIONS.find((operation) => operation.id === id);
  return found ?? { id, tag: 'Service', summary: id, answers: { 200: { about: 'Done.' } }, examples: [{ summary: id, status: 200 }] };
}

const PARAMETERS: JsonSchema = {
  XTitle: {
    name: 'X-Title',
    in: 'header',
    description: 'What the request is part of; usage can be grouped by it (`origin_title`). Never sent to a provider.',
    schema: { type: 'string', maxLength: 128 },
  },
  XWeirField: {
    name: 'X-Weir-Name',
    in: 'header',
    description: 'Any header `X-Weir-<Name>` becomes the field `extra.<name>` of usage: 20 a request, values of up to 64 characters.',
    schema: { type: 'string', maxLength: 64 },
  },
  XWeirStrict: {
    name: 'X-Weir-Strict',
    in: 'header',
    description: '`true`: whatever the provider’s dialect cannot say is refused with 400 instead of dropped and told.',
    schema: { type: 'string', enum: ['true'] },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same key with the same body is carried out once; with another body it is a 409. Kept for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
};
