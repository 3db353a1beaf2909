import { z } from 'zod';
import { nameRequest } from '../named-schemas';
import { metadata, modelId } from './shared-fields';

/** Body of `POST /v1/estimate`: any body in JSON. Only its model, its length and its own limits decide. */
export const estimateRequest = nameRequest(
  'EstimateRequest',
  z.looseObject({
    model: modelId.optional(),
    messages: z.array(z.unknown()).optional(),
    input: z.unknown().optional(),
    prompt: z.unknown().optional(),
    n: z.unknown().optional(),
    max_tokens: z.unknown().optional(),
    seconds: z.number().min(0).optional(),
    ...metadata,
  }),
  'A body of chat completions, responses, messages, embeddings, images or speech; for a transcription its model, and `seconds`, the length of the recording.',
);
