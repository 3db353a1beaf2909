import { z } from 'zod';
import { nameRequest } from '../named-schemas';
import { metadata, modelId } from './shared-fields';

/** Body of `POST /v1/estimate`: any chat body. Only its model and its limits of output decide. */
export const estimateRequest = nameRequest(
  'EstimateRequest',
  z.looseObject({
    model: modelId.optional(),
    messages: z.array(z.unknown()).optional(),
    input: z.unknown().optional(),
    max_tokens: z.unknown().optional(),
    ...metadata,
  }),
  'A body of chat completions, responses or messages.',
);
