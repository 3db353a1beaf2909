// This library describes the public interface as an OpenAPI document, from the schemas that validate.
export { createApiDocument, type ApiDocument } from './create-api-document';
export { createUsageEventSchema } from './create-usage-event-schema';
export { createUsageManifestSchema } from './create-usage-manifest-schema';
export { EXAMPLE_IDS, type ExampleKind } from './operations/example-ids';
export { FILE_FIELDS, OPERATIONS } from './operations';
export type { Example } from './operations/operation';
export { PUBLISHED_SCHEMAS } from './published-schemas';
