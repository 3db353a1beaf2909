import type { ResponseFormat } from '@weir/canonical';

/** The schema of an answer for providers that take nothing beside it: what the caller says about it stands in it. */
export function schemaOfFormat({ schema, description }: Extract<ResponseFormat, { kind: 'json-schema' }>): Record<string, unknown> {
  return description === undefined || schema['description'] !== undefined ? schema : { ...schema, description };
}
