import { z } from 'zod';
import { estimated } from './chat-completions-reply';
import { nameReply, nameRequest } from '../named-schemas';
import { metadata, modelId, text } from './shared-fields';

const entry = z.string().min(1);
const tokens = z.array(z.int().min(0)).min(1);

/** Body of `POST /v1/embeddings`. */
export const embeddingsRequest = nameRequest(
  'EmbeddingsRequest',
  z.looseObject({
    model: modelId,
    input: z.union([entry, z.array(entry).min(1).max(2048), tokens, z.array(tokens).min(1).max(2048)]),
    encoding_format: z.enum(['float', 'base64']).nullish(),
    dimensions: z.int().min(1).nullish(),
    user: text,
    ...metadata,
  }),
);

export const embeddingsReply = nameReply(
  'EmbeddingList',
  z.looseObject({
    object: z.literal('list'),
    data: z.array(
      z.looseObject({
        object: z.literal('embedding'),
        index: z.int().min(0),
        embedding: z.union([z.array(z.number()), z.string()]).describe('Base64 of little-endian 32-bit floats when asked for.'),
      }),
    ),
    model: z.string(),
    usage: z.looseObject({ prompt_tokens: z.int(), total_tokens: z.int(), cost: z.number().describe('USD, exact.'), estimated }),
  }),
);
