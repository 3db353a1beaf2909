import { configurationDocument, configurationSecret } from '@weir/contracts';
import { z } from 'zod';

type JsonSchema = { [key: string]: unknown };

/** What editors check a configuration document by, made of the schemas that the interface checks with. What only a gateway can know is not in it. */
export function createConfigurationSchema(): JsonSchema {
  const schema = z.toJSONSchema(configurationDocument, {
    io: 'input',
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => simplify(zodSchema, jsonSchema as JsonSchema),
  }) as JsonSchema;
  return { ...schema, title: 'Configuration of an organization of Weir' };
}

/** Bounds of what JavaScript can count are nothing to say; `value` is for `weir apply`, and for no document. */
function simplify(zodSchema: unknown, schema: JsonSchema): void {
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum'];
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum'];
  if (zodSchema !== configurationSecret) return;
  const { value: _, ...properties } = schema['properties'] as JsonSchema;
  schema['properties'] = properties;
  schema['minProperties'] = 1;
  schema['maxProperties'] = 1;
}
