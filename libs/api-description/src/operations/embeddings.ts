import { INFERENCE_HEADERS, type Operation } from './operation';
import { embeddingsReply, embeddingsRequest } from '../schemas/gateway/embeddings';

export const EMBEDDING_OPERATIONS: readonly Operation[] = [
  {
    id: 'embeddings',
    tag: 'Embeddings',
    summary: 'Embed texts',
    about:
      'As many vectors as inputs, in their order; where a provider takes fewer at once, the inputs are sent in several calls and the vectors are put together.',
    body: embeddingsRequest,
    responses: {
      200: { about: 'The vectors.', json: embeddingsReply, headers: [...INFERENCE_HEADERS, 'x-weir-cost', 'x-weir-usage'] },
    },
    examples: [
      { summary: 'Two texts', body: { model: 'sandbox/embedding', input: ['one', 'two'], dimensions: 8 }, status: 200 },
      { summary: 'As base64', body: { model: 'sandbox/embedding', input: 'one', encoding_format: 'base64' }, status: 200 },
    ],
  },
];
