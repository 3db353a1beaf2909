import { createConfigurationSchema } from './create-configuration-schema';
import { createUsageEventSchema } from './create-usage-event-schema';
import { createUsageManifestSchema } from './create-usage-manifest-schema';

/** JSON schemas that every gateway serves, by their path. */
export const PUBLISHED_SCHEMAS = {
  '/schemas/configuration.json': createConfigurationSchema,
  '/schemas/usage-event': createUsageEventSchema,
  '/schemas/usage-manifest': createUsageManifestSchema,
} as const;
