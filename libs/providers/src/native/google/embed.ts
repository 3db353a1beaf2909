import { readReportedCount, type EmbeddingReply, type EmbeddingRequest, type LossReport } from '@weir/canonical';
import type { EncodedCall, ProviderTarget } from '../../provider/target';
import { listTexts } from '../../embedding/list-texts';
import { pickFields } from '../../wire/pick-fields';
import { readVectors } from '../../embedding/read-vectors';
import type { EmbeddingCodec, WholeReply } from '../../provider/embedding-provider';
import { unreadableReply } from '../../failures/unsupported';
import { asArray, asRecord, parseJson, withoutUndefined } from '../../wire/json-value';

const INPUTS_MAX = 100;
const FIELDS = { task_type: 'taskType', taskType: 'taskType', title: 'title' };

/** Embeddings of the Gemini API, many texts in one call. */
export const embeddingCodec: EmbeddingCodec = {
  kind: 'translated',
  takesTokens: false,
  inputsMax: () => INPUTS_MAX,
  encodeRequest,
  decodeReply,
};

function encodeRequest(request: EmbeddingRequest, { attempt }: ProviderTarget, losses: LossReport): EncodedCall {
  const name = attempt.upstreamModel;
  const common = withoutUndefined({ outputDimensionality: request.dimensions, ...pickFields(request, FIELDS, losses) });
  const requests = listTexts(request).map((text) => ({ model: `models/${name}`, content: { parts: [{ text }] }, ...common }));
  return { path: `/models/${encodeURIComponent(name)}:batchEmbedContents`, body: JSON.stringify({ requests }) };
}

function decodeReply({ text }: WholeReply): EmbeddingReply {
  const reply = asRecord(parseJson(text));
  if (reply === undefined) throw unreadableReply();
  // Older models report no usage.
  const tokens = asRecord(reply['usageMetadata'])?.['promptTokenCount'];
  return {
    vectors: readVectors(asArray(reply['embeddings']).map((entry) => asRecord(entry)?.['values'])),
    promptTokens: readReportedCount(tokens),
  };
}
