import { readReportedCount, type EmbeddingReply, type EmbeddingRequest, type LossReport } from '@weir/canonical';
import type { EncodedCall, ProviderTarget } from '../../provider/target';
import { COHERE_INPUTS_MAX, decodeCohereReply, encodeCohereBody } from '../../embedding/cohere-embed';
import { listTexts } from '../../embedding/list-texts';
import { pickFields } from '../../wire/pick-fields';
import { readVectors } from '../../embedding/read-vectors';
import type { EmbeddingCodec, WholeReply } from '../../provider/embedding-provider';
import { unreadableReply, unsupported } from '../../failures/unsupported';
import { asArray, asRecord, parseJson, withoutUndefined, type JsonRecord } from '../../wire/json-value';

/** One family of models: invoking a model takes the body that its maker defined. */
type Family = {
  readonly names: RegExp;
  readonly inputsMax: number;
  encodeBody(request: EmbeddingRequest, losses: LossReport): JsonRecord;
  decodeReply(text: string): EmbeddingReply;
};

const COHERE: Family = {
  names: /cohere\.embed/,
  inputsMax: COHERE_INPUTS_MAX,
  encodeBody: encodeCohereBody,
  decodeReply: decodeCohereReply,
};

const TITAN: Family = {
  names: /amazon\.titan-embed/,
  inputsMax: 1,
  encodeBody: (request, losses) =>
    withoutUndefined({
      inputText: listTexts(request)[0],
      dimensions: request.dimensions,
      ...pickFields(request, { normalize: 'normalize' }, losses),
    }),
  decodeReply: (text) => {
    const reply = readReply(text);
    const tokens = reply['inputTextTokenCount'];
    return { vectors: readVectors([reply['embedding']]), promptTokens: readReportedCount(tokens) };
  },
};

const NOVA: Family = {
  names: /amazon\.nova-2-multimodal-embeddings/,
  inputsMax: 1,
  encodeBody: (request, losses) => {
    pickFields(request, {}, losses);
    const text = { truncationMode: 'END', value: listTexts(request)[0] };
    const params = withoutUndefined({ embeddingPurpose: 'GENERIC_INDEX', embeddingDimension: request.dimensions, text });
    return { taskType: 'SINGLE_EMBEDDING', singleEmbeddingParams: params };
  },
  decodeReply: (text) => {
    const { embeddings } = readReply(text);
    return { vectors: readVectors(asArray(embeddings).map((entry) => asRecord(entry)?.['embedding'])), promptTokens: null };
  },
};

const FAMILIES = [COHERE, TITAN, NOVA];

/** Embeddings by invoking a model with its maker's own body. */
export const embeddingCodec: EmbeddingCodec = {
  kind: 'translated',
  takesTokens: false,
  inputsMax: (target) => familyOf(target).inputsMax,
  encodeRequest: (request, target, losses): EncodedCall => ({
    path: `/model/${encodeURIComponent(target.attempt.upstreamModel)}/invoke`,
    body: JSON.stringify(familyOf(target).encodeBody(request, losses)),
  }),
  decodeReply: ({ text, headers }, target) => {
    const reply = familyOf(target).decodeReply(text);
    return reply.promptTokens === null ? { ...reply, promptTokens: readTokenHeader(headers) } : reply;
  },
};

/** Counted by the service itself, for models whose own replies carry no count. */
function readTokenHeader(headers: WholeReply['headers']): number | null {
  const reported = headers['x-amzn-bedrock-input-token-count'];
  return typeof reported === 'string' && /^\d{1,12}$/.test(reported) ? Number(reported) : null;
}

function familyOf({ attempt }: ProviderTarget): Family {
  const family = FAMILIES.find(({ names }) => names.test(attempt.upstreamModel));
  if (family === undefined) throw unsupported('model', 'Embedding text with this model');
  return family;
}

function readReply(text: string): JsonRecord {
  const reply = asRecord(parseJson(text));
  if (reply === undefined) throw unreadableReply();
  return reply;
}
