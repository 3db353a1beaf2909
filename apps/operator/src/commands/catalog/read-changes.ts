import { catalogDocument, type CatalogDocument } from '@weir/model-catalog';
import { readFileSync } from 'node:fs';
import { UsageError } from '../command';

/** A file of changes: a document, or an array of models alone. Whether the rows are models is for the catalogue to say. */
export function readChanges(path: string): CatalogDocument {
  return checkChanges(readJson(path), path);
}

export function checkChanges(value: unknown, path: string): CatalogDocument {
  const parsed = catalogDocument.safeParse(Array.isArray(value) ? { models: value } : value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'document'}: ${issue.message}`);
  throw new UsageError(`${path} is no document of the catalogue: ${issues.slice(0, 10).join('; ')}`);
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
