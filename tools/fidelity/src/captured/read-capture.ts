import type { Capture } from '@weir/testing';
import { EMPTY_REPLY, type PlainReply } from '../reading/plain-reply';
import type { ChatCapture, Family } from './chat-capture';
import { isRaw, at, textOf } from '../reading/raw-json';
import { readBedrockCapture } from './read-bedrock-capture';
import { readChatCapture } from './read-chat-capture';
import { readCohereCapture } from './read-cohere-capture';
import { readGeminiCapture } from './read-gemini-capture';
import { readMessagesCapture } from './read-messages-capture';
import { readResponsesCapture } from './read-responses-capture';
import type { RawEvent } from './raw-events';

const READERS: Readonly<Record<Family, (events: readonly RawEvent[], isStream: boolean) => PlainReply>> = {
  chat: readChatCapture,
  responses: readResponsesCapture,
  messages: readMessagesCapture,
  gemini: readGeminiCapture,
  bedrock: readBedrockCapture,
  cohere: readCohereCapture,
};

/** What a capture says, read by code that shares nothing with the gateway. */
export function readCapture(chat: ChatCapture): PlainReply {
  const status = statusOf(chat.capture, chat.events);
  if (status >= 400) return { ...EMPTY_REPLY, ending: 'refused', status };
  return READERS[chat.family](chat.events, chat.capture.kind !== 'json');
}

/** The status a provider gave or, where the recording lost it, the one its error body stands for. */
export function statusOf(capture: Capture, events: readonly RawEvent[]): number {
  if (capture.status !== undefined) return capture.status;
  const first = events[0];
  if (capture.kind !== 'json' || typeof first === 'symbol' || !isRaw(at(first, 'error'))) return 200;
  const code = at(first, 'error', 'code');
  if (typeof code === 'number') return code;
  return textOf(at(first, 'error', 'type')) === 'insufficient_quota' ? 429 : 400;
}
