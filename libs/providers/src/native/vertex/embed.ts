import { readReportedCount, type EmbeddingReply, type EmbeddingRequest, type LossReport } from '@weir/canonical';
import type { EncodedCall, ProviderTarget } from '../../provider/target';
import { listTexts } from '../../embedding/list-texts';
import { pickFields } from '../../wire/pick-fields';
import { readVectors } from '../../embedding/read-vectors';
import type { EmbeddingCodec, WholeReply } from '../../provider/embedding-provider';
import { unreadableReply, unsupported } from '../../failures/unsupported';
import { asArray, asRecord, parseJson, withoutUndefined, type JsonRecord } from '../../wire/json-value';
import { addressOf, type VertexPlace } from './encode-request';

/** One way to ask; which it is depends on the model. */
type Verb = {
  readonly names: RegExp;
  readonly verb: string;
  readonly inputsMax: number;
  encodeBody(request: EmbeddingRequest, losses: LossReport): JsonRecord;
  decodeReply(reply: JsonRecord): EmbeddingReply;
};

/** A call takes 20000 tokens, and a text counts up to 2048 of them. */
const TEXTS_PER_PREDICTION = 9;

const PREDICT: Verb = {
  names: /^text-(multilingual-)?embedding-/,
  verb: 'predict',
  inputsMax: TEXTS_PER_PREDICTION,
  encodeBody(request, losses) {
    const { autoTruncate, ...fields } = pickFields(
      request,
      { task_type: 'task_type', title: 'title', auto_truncate: 'autoTruncate' },
      losses,
    );
    return {
      instances: listTexts(request).map((content) => ({ content, ...fields })),
      parameters: withoutUndefined({ autoTruncate, outputDimensionality: request.dimensions }),
    };
  },
  decodeReply(reply) {
    const predictions = asArray(reply['predictions']).map((entry) => asRecord(asRecord(entry)?.['embeddings']));
    const tokens = predictions.map((entry) => readReportedCount(asRecord(entry?.['statistics'])?.['token_count']));
    return {
      vectors: readVectors(predictions.map((entry) => entry?.['values'])),
      promptTokens: tokens.reduce((sum, count) => (sum === null || count === null ? null : sum + count), 0),
    };
  },
};

/** The same, one text a call. */
const PREDICT_ONE: Verb = { ...PREDICT, names: /^gemini-embedding-001$/, inputsMax: 1 };

const EMBED: Verb = {
  names: /^gemini-embedding-/,
  verb: 'embedContent',
  inputsMax: 1,
  encodeBody: (request, losses) =>
    withoutUndefined({
      content: { parts: listTexts(request).map((text) => ({ text })) },
      outputDimensionality: request.dimensions,
      ...pickFields(request, { task_type: 'taskType', title: 'title' }, losses),
    }),
  decodeReply(reply) {
    const tokens = asRecord(reply['usageMetadata'])?.['promptTokenCount'];
    return {
      vectors: readVectors([asRecord(reply['embedding'])?.['values']]),
      promptTokens: readReportedCount(tokens),
    };
  },
};

const VERBS = [PREDICT, PREDICT_ONE, EMBED];

export function createEmbeddingCodec(place: VertexPlace): EmbeddingCodec {
  return {
    kind: 'translated',
    takesTokens: false,
    inputsMax: (target) => verbOf(target).inputsMax,
    encodeRequest(request, target, losses): EncodedCall {
      const { verb, encodeBody } = verbOf(target);
      const location = target.attempt.region?.toLowerCase() ?? place.location;
      const model = encodeURIComponent(target.attempt.upstreamModel);
      return {
        baseUrl: place.baseUrl ?? addressOf(location),
        path: `/projects/${place.project}/locations/${location}/publishers/google/models/${model}:${verb}`,
        body: JSON.stringify(encodeBody(request, losses)),
      };
    },
    decodeReply: ({ text }: WholeReply, target) => {
      const reply = asRecord(parseJson(text));
      if (reply === undefined) throw unreadableReply();
      return verbOf(target).decodeReply(reply);
    },
  };
}

function verbOf({ attempt }: ProviderTarget): Verb {
  const verb = VERBS.find(({ names }) => names.test(attempt.upstreamModel));
  if (verb === undefined) throw unsupported('model', 'Embedding text with this model');
  return verb;
}
