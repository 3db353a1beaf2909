import { z } from 'zod';
import { flag } from '../values';

/** A configuration that is mounted, such as a ConfigMap. */
export const configurationEnv = z.object({
  /** A file, or a folder of files. Followed while the service runs. */
  CONFIGURATION_FILE: z.string().min(1).optional(),
  /** Whose configuration it is; needed where there is more than one organization. */
  CONFIGURATION_ORGANIZATION: z.uuid().toLowerCase().optional(),
  /** Also takes away what it made before and lists no more. */
  CONFIGURATION_PRUNE: flag.default(false),
  /** The folder that its `{file: NAME}` are read from. */
  CONFIGURATION_SECRETS: z.string().min(1).optional(),
});
export type ConfigurationEnv = z.infer<typeof configurationEnv>;
