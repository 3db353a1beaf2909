import { GatewayError } from '@weir/errors';
import { chatCompletionsFormat } from '@weir/wire-formats';
import { asArray, asRecord, asText, type JsonRecord } from '../wire/json-value';

/** About a million tokens. */
const PROMPT_LENGTH_MAX = 5_000_000;

/** Says what is wrong with a chat request, as a provider would that knows its own fields; undefined for one that can be answered. */
export function findChatFault(body: JsonRecord): string | undefined {
  if (measureTexts(body['messages']) > PROMPT_LENGTH_MAX) return `This model takes no more than ${PROMPT_LENGTH_MAX} characters of text.`;
  try {
    chatCompletionsFormat.decodeRequest(body);
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error.message;
    throw error;
  }
}

function measureTexts(messages: unknown): number {
  return asArray(messages).reduce((sum: number, message) => sum + measureContent(asRecord(message)?.['content']), 0);
}

function measureContent(content: unknown): number {
  if (typeof content === 'string') return content.length;
  return asArray(content).reduce((sum: number, part) => sum + (asText(asRecord(part)?.['text'])?.length ?? 0), 0);
}
