import { z } from 'zod';

/** Models of an installation's own, as the JSON text of an array of model rows; mostly given as `CATALOG_FILE`. */
export const catalogEnv = z.object({ CATALOG: z.string().min(2).optional() });
