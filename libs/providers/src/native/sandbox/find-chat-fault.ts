import { GatewayError } from '@weir/errors';
import { chatCompletionsFormat } from '@weir/wire-formats';
import type { JsonRecord } from '../../wire/json-value';

/** Says what is wrong with a chat request, as a provider would that knows its own fields; undefined for one that can be answered. */
export function findChatFault(body: JsonRecord): string | undefined {
  try {
    chatCompletionsFormat.decodeRequest(body);
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error.message;
    throw error;
  }
}
