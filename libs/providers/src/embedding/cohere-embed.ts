import { readReportedCount, type EmbeddingReply, type EmbeddingRequest, type LossReport } from '@weir/canonical';
import type { EmbeddingCodec } from '../provider/embedding-provider';
import { unreadableReply } from '../failures/unsupported';
import { asArray, asRecord, parseJson, withoutUndefined, type JsonRecord } from '../wire/json-value';
import { listTexts } from './list-texts';
import { pickFields } from '../wire/pick-fields';
import { readVectors } from './read-vectors';

/** How many texts one call takes. */
export const COHERE_INPUTS_MAX = 96;
const FIELDS = { input_type: 'input_type', truncate: 'truncate' };

/** The body of Cohere's embed call, wherever its models are served; the name of the model is not in it. */
export function encodeCohereBody(request: EmbeddingRequest, losses: LossReport): JsonRecord {
  return withoutUndefined({
    texts: listTexts(request),
    // Required. Texts that are to be found later are the usual case; searchers say so.
    input_type: 'search_document',
    embedding_types: ['float'],
    output_dimension: request.dimensions,
    ...pickFields(request, FIELDS, losses),
  });
}

/** The codec of Cohere's own service; its base URL ends with the version. */
export const cohereEmbeddingCodec: EmbeddingCodec = {
  kind: 'translated',
  takesTokens: false,
  inputsMax: () => COHERE_INPUTS_MAX,
  encodeRequest: (request, { attempt }, losses) => ({
    path: '/embed',
    body: JSON.stringify({ model: attempt.upstreamModel, ...encodeCohereBody(request, losses) }),
  }),
  decodeReply: ({ text }) => decodeCohereReply(text),
};

export function decodeCohereReply(text: string): EmbeddingReply {
  const reply = asRecord(parseJson(text));
  if (reply === undefined) throw unreadableReply();
  const { embeddings } = reply;
  const tokens = asRecord(asRecord(reply['meta'])?.['billed_units'])?.['input_tokens'];
  return {
    // A plain list where the types of embeddings were not asked for.
    vectors: readVectors(asArray(asRecord(embeddings)?.['float'] ?? embeddings)),
    promptTokens: readReportedCount(tokens),
  };
}
