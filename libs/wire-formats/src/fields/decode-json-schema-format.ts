import type { ResponseFormat } from '@weir/canonical';
import { dropAbsent } from './drop-absent';
import { findBoolean, findString, readObject, type JsonObject } from './field-readers';

/** `{name, description?, schema, strict?}`, nested or flat as the dialect has it. */
export function decodeJsonSchemaFormat(format: JsonObject, path: string): ResponseFormat {
  return {
    kind: 'json-schema',
    schema: readObject(format['schema'], `${path}.schema`),
    ...dropAbsent({
      name: findString(format, 'name', path),
      description: findString(format, 'description', path),
      isStrict: findBoolean(format, 'strict', path),
    }),
  };
}
