import { editOriginal, readMember, readReportedCount, type OriginalBody } from '@weir/canonical';
import type { ExpressCall, ProviderTarget } from '../provider/target';
import type { EmbeddingExpress } from '../provider/embedding-provider';
import { asRecord } from '../wire/json-value';
import type { CompatibleProvider } from './rules/compatible-provider.schema';

/** Members that only this gateway knows. */
const EXTENSIONS = ['weir', 'requesty'] as const;

type Place = (call: ExpressCall, target: ProviderTarget) => ExpressCall;

/** Embeddings in the caller's own words, with the model's name and this provider's quirks edited. */
export function createEmbeddingLane(provider: CompatibleProvider, place: Place): EmbeddingExpress | undefined {
  const { embedding: path } = provider.endpoints;
  if (path === undefined) return undefined;
  const { renameParams, dropParams, takesTokens, hasBase64 } = provider.embeddings;
  const removed = [...EXTENSIONS, ...dropParams, ...(hasBase64 ? [] : ['encoding_format'])];
  const renamed = Object.entries(renameParams);
  const edit = (body: OriginalBody, target: ProviderTarget): ExpressCall['body'] => {
    const set = new Map([['model', JSON.stringify(target.attempt.upstreamModel)]]);
    const remove = new Set(removed);
    for (const [from, to] of renamed) {
      const value = readMember(body, from);
      if (value === undefined) continue;
      remove.add(from);
      if (readMember(body, to) === undefined) set.set(to, value);
    }
    return editOriginal(body, { set, remove });
  };
  return {
    kind: 'express',
    takesTokens,
    encodeOriginal: (body, target) => {
      const dropped = dropParams.filter((name) => (readMember(body, name) ?? 'null') !== 'null');
      return place({ path, body: edit(body, target), ...(dropped.length === 0 ? {} : { dropped }) }, target);
    },
    readUsage: readPromptTokens,
  };
}

/** Some providers report the total only, which for embeddings is the same. */
function readPromptTokens(usage: unknown): number | null {
  const reported = asRecord(usage);
  const tokens = reported?.['prompt_tokens'] ?? reported?.['total_tokens'];
  return readReportedCount(tokens);
}
