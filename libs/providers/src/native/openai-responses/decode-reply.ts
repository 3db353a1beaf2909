import type { ChatReply, Usage } from '@weir/canonical';
import { explainFailure, wordsOf } from '../../failures/explain-failure';
import { readReportedChat } from '../../failures/failed-reply';
import { unreadableReply } from '../../failures/unsupported';
import { asRecord, asText, parseExact, type JsonRecord } from '../../wire/json-value';
import { mintId } from '../../wire/mint-id';
import { withTier } from '../../wire/with-tier';
import { decodeFinish, decodeItem, readLogprobs, toSeconds, type DecodeContext } from './decode-items';
import { addHostedCalls } from './hosted-calls';
import { readUsage } from './read-usage';

/** A whole response object. Throws `provider_unreadable` for anything else, and the provider's error for a failed one. */
export function decodeReply(text: string, context: DecodeContext): ChatReply {
  const response = asRecord(parseExact(text)) ?? {};
  return readReportedChat(
    () => readResponse(response, context),
    () => readUsed(response),
  );
}

function readUsed(response: JsonRecord): Usage | null {
  return addHostedCalls(withTier(readUsage(response['usage']), response['service_tier']), response['output']);
}

function readResponse(response: JsonRecord, context: DecodeContext): ChatReply {
  if (!Array.isArray(response['output'])) throw unreadableReply();
  refuseFailure(response);
  const items = response['output'].map(asRecord).filter((item) => item !== undefined);
  const content = items.flatMap((item) => decodeItem(item, context));
  const hasToolCalls = content.some((block) => block.type === 'tool-call');
  const serviceTier = asText(response['service_tier']);
  const logprobs = readLogprobs(items);
  return {
    id: asText(response['id']) ?? mintId('resp_'),
    model: asText(response['model']) ?? context.fallbackModel,
    createdAtSeconds: toSeconds(response['created_at']),
    choices: [{ index: 0, content, finish: decodeFinish(response, hasToolCalls), ...(logprobs === undefined ? {} : { logprobs }) }],
    usage: readUsed(response),
    ...(serviceTier === undefined ? {} : { serviceTier }),
  };
}

function refuseFailure(response: JsonRecord): void {
  if (response['status'] !== 'failed' && asRecord(response['error']) === undefined) return;
  const words = wordsOf(response);
  throw explainFailure({
    status: words.code === 'rate_limit_exceeded' ? 429 : words.code === 'invalid_prompt' ? 400 : 502,
    headers: {},
    words,
    secrets: [],
  });
}
