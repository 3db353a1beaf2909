import type { ChatChoice, ChatReply, Citation, ContentBlock, ToolCallBlock, Usage } from '@weir/canonical';
import { explainFailure, wordsOf } from '../failures/explain-failure';
import { readReportedChat } from '../failures/failed-reply';
import { hasFailure } from '../failures/stream-failure';
import { unreadableReply } from '../failures/unsupported';
import { asArray, asNumber, asRecord, asText, parseExact, type JsonRecord } from '../wire/json-value';
import { mintId } from '../wire/mint-id';
import { unwrapCustomInput } from '../wire/remember-custom-tools';
import { withTier } from '../wire/with-tier';
import { decodeFinish, readStopSequence } from './decode-finish';
import { readAnnotations, readArguments, readCalled, readPictures, readSources, readWords } from './decode-message';
import { readUsage, type UsageStyle } from './read-usage';
import { createFilterVerdicts } from './filter-verdicts';
import { createDetailLog } from './reasoning-details';

export type DecodeContext = {
  readonly usage: UsageStyle;
  readonly pricedTiers?: readonly string[];
  readonly fallbackModel: string;
  readonly customTools: ReadonlySet<string>;
  /** Whose state `reasoning_details` hold. */
  readonly detailsFamily: string;
};

/** A whole chat completion. Throws `provider_unreadable`, or the provider's own error where one came with status 200. */
export function decodeReply(text: string, context: DecodeContext): ChatReply {
  const reply = asRecord(parseExact(text));
  if (reply === undefined) throw unreadableReply();
  return readReportedChat(
    () => readReply(reply, context),
    () => readUsed(reply, context),
  );
}

function readReply(reply: JsonRecord, context: DecodeContext): ChatReply {
  refuseFailure(reply);
  const choices = asArray(reply['choices'])
    .map(asRecord)
    .filter((choice) => choice !== undefined);
  if (choices.length === 0) throw unreadableReply();
  const sources = readSources(reply);
  const serviceTier = asText(reply['service_tier']);
  const systemFingerprint = asText(reply['system_fingerprint']);
  return {
    id: asText(reply['id']) ?? mintId('chatcmpl-'),
    model: asText(reply['model']) ?? context.fallbackModel,
    createdAtSeconds: toSeconds(reply['created']),
    choices: choices.map((choice, index) =>
      decodeChoice(choice, index, { ...context, sources, promptVerdicts: reply['prompt_filter_results'] }),
    ),
    usage: readUsed(reply, context),
    ...(serviceTier === undefined ? {} : { serviceTier }),
    ...(systemFingerprint === undefined ? {} : { systemFingerprint }),
  };
}

function readUsed(reply: JsonRecord, { usage, pricedTiers }: DecodeContext): Usage | null {
  return withTier(readUsage(findUsage(reply, asRecord(asArray(reply['choices'])[0])), usage), reply['service_tier'], pricedTiers);
}

function refuseFailure(body: JsonRecord): void {
  if (!hasFailure(body)) return;
  const words = wordsOf(body);
  const status = Number(words.code);
  throw explainFailure({ status: status >= 400 && status < 600 ? status : 502, headers: {}, words, secrets: [] });
}

/** Usage stands on the reply, inside a choice, or under a provider's own name. */
export function findUsage(reply: JsonRecord, choice: JsonRecord | undefined): unknown {
  return reply['usage'] ?? choice?.['usage'] ?? asRecord(reply['x_groq'])?.['usage'];
}

export function toSeconds(value: unknown): number {
  const seconds = asNumber(value) ?? 0;
  return Math.floor(seconds > 0 ? seconds : Date.now() / 1000);
}

type ChoiceContext = DecodeContext & { readonly sources: readonly Citation[]; readonly promptVerdicts: unknown };

function decodeChoice(choice: JsonRecord, position: number, context: ChoiceContext): ChatChoice {
  refuseFailure(choice);
  const message = asRecord(choice['message']) ?? {};
  const content = decodeContent(message, context);
  const verdicts = createFilterVerdicts();
  verdicts.add(choice);
  const filtered = verdicts.take(context.promptVerdicts);
  if (filtered !== undefined) content.push(filtered);
  const finish = decodeFinish(
    choice['finish_reason'],
    content.some((block) => block.type === 'tool-call'),
    readStopSequence(choice),
  );
  if (finish.unified === 'error') throw unreadableReply();
  const logprobs = choice['logprobs'];
  const index = choice['index'];
  return {
    index: typeof index === 'number' ? index : position,
    content,
    finish,
    ...(logprobs === undefined || logprobs === null ? {} : { logprobs }),
  };
}

function decodeContent(message: JsonRecord, context: ChoiceContext): ContentBlock[] {
  const words = readWords(message);
  const content: ContentBlock[] = decodeReasoning(message, words.reasoning, context);
  if (words.text !== '') {
    const annotations = readAnnotations(message['annotations']);
    const citations = annotations.length > 0 ? annotations : context.sources;
    content.push({ type: 'text', text: words.text, ...(citations.length === 0 ? {} : { citations }) });
  }
  if (words.refusal !== '') content.push({ type: 'refusal', text: words.refusal });
  for (const source of readPictures(message['images'])) content.push({ type: 'image', source });
  const audio = asRecord(message['audio']);
  if (audio !== undefined) content.push({ type: 'opaque', family: 'chat-completions', raw: { type: 'audio', audio } });
  for (const call of asArray(message['tool_calls'])) content.push(decodeCall(asRecord(call) ?? {}, context));
  const legacy = asRecord(message['function_call']);
  // Some servers fill in every member of the message, this one with an empty name.
  if (asText(legacy?.['name']) !== undefined) content.push(decodeCall({ function: legacy }, context));
  return content;
}

function decodeReasoning(message: JsonRecord, text: string, { detailsFamily }: DecodeContext): ContentBlock[] {
  const details = createDetailLog(detailsFamily);
  details.add(message['reasoning_details']);
  const state = details.take();
  if (text === '' && state === undefined) return [];
  return [{ type: 'reasoning', text, ...(state === undefined ? {} : { state }) }];
}

function decodeCall(call: JsonRecord, { customTools }: DecodeContext): ToolCallBlock {
  const id = asText(call['id']) ?? mintId('call_');
  const { isCustom, called } = readCalled(call);
  if (isCustom) {
    return { type: 'tool-call', id, name: asText(called['name']) ?? '', argumentsText: readArguments(called['input']), kind: 'custom' };
  }
  const name = asText(called['name']) ?? '';
  const text = readArguments(called['arguments']);
  if (customTools.has(name)) return { type: 'tool-call', id, name, argumentsText: unwrapCustomInput(text), kind: 'custom' };
  return { type: 'tool-call', id, name, argumentsText: text === '' ? '{}' : text, kind: 'function' };
}
