import { usageManifest } from '@weir/contracts';
import { z } from 'zod';

/**
 * The manifest of usage that is exported as files, as JSON Schema (draft 2020-12). Fields that are not listed may come at any time.
 */
export function createUsageManifestSchema(): { [key: string]: unknown } {
  const { $schema, ...manifest } = z.toJSONSchema(usageManifest, { io: 'input', target: 'draft-2020-12', override: simplify });
  return { $schema, $id: '/schemas/usage-manifest', title: 'Manifest of a day of usage', ...manifest };
}

/** Bounds of what JavaScript can count are nothing to say, nor what the format of a text says already. */
function simplify({ jsonSchema }: { readonly jsonSchema: { maximum?: unknown; format?: unknown; pattern?: unknown } }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
}
