import { COMMON_ATTRIBUTES, isObject, type ResourceKind, type ScimDocument } from './attribute';
import { readParts } from './read-value';
import { refuse, refuseValue } from './refusals';

/**
 * What a client sends as a resource, as it is kept. What is not in the schemas is left out, and the response shows that (RFC
 * 7644, 3.3). Throws when it is no resource of the kind, or lacks what each must have.
 */
export function readResource(kind: ResourceKind, body: ScimDocument): ScimDocument {
  checkSchemas(body, kind.schema.id);
  const read: Record<string, unknown> = {
    ...(readParts([...COMMON_ATTRIBUTES, ...kind.schema.attributes], body, '') as object | undefined),
  };
  for (const extension of kind.extensions) {
    const [, value] = Object.entries(body).find(([name]) => name.toLowerCase() === extension.id.toLowerCase()) ?? [];
    if (value === undefined || value === null) continue;
    if (!isObject(value)) throw refuseValue(extension.id, 'must be an object');
    const kept = readParts(extension.attributes, value, extension.id);
    if (kept !== undefined) read[extension.id] = kept;
  }
  return read;
}

/** Throws unless `schemas`, where it is sent, names the one that is meant. */
export function checkSchemas(body: ScimDocument, id: string): void {
  const [, schemas] = Object.entries(body).find(([name]) => name.toLowerCase() === 'schemas') ?? [];
  if (schemas === undefined) return;
  if (!Array.isArray(schemas) || !schemas.every((one): one is string => typeof one === 'string'))
    throw refuse('invalidSyntax', '`schemas` must be a list of URNs.', 'schemas');
  if (!schemas.some((one) => one.toLowerCase() === id.toLowerCase()))
    throw refuse('invalidSyntax', `\`schemas\` must have "${id}" in it.`, 'schemas');
}
