// This library describes the public interface as an OpenAPI document, from the schemas that validate.
export * from './create-api-document';
export * from './operations/example-ids';
export { FILE_FIELDS, OPERATIONS } from './operations';
export type { Example, Operation } from './operations/operation';
