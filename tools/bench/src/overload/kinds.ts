import { createRequestBody } from '../processes/sample-bodies';
import type { OpenLoadKind, OpenLoadRequest } from './open-load-job';

/** What is asked for: replies as fast as models are, three of four streamed; or replies that come at once, streamed or whole. */
export type ReplyMix = 'models' | 'streams' | 'whole';

/** The gateway that is asked, and the keys that ask it. */
export type OverloadTarget = {
  readonly port: number;
  /** Of an organization that pays, and of one that never did. */
  readonly keys: { readonly paying: string; readonly unpaid: string };
};

export type KindsOptions = {
  /** Requests a second for chat, in all. */
  readonly perSecond: number;
  /** Of those, by organizations that pay. */
  readonly paidShare: number;
  readonly mix: ReplyMix;
};

const MODEL = 'openai/gpt-4o-mini';
const FREE_MODEL = 'sandbox/chat-free';
/** Few: a day has a thousand of them. */
const FREE_PER_SECOND = 4;
/** Lists and reports, for each request for chat. */
const LISTS_SHARE = 0.1;
/** Whether a request is for a stream, in turn. */
const TURNS: Record<ReplyMix, readonly boolean[]> = { models: [true, true, true, false], streams: [true], whole: [false] };

/** Chat for who pays and who never did, in the share that is asked for. */
export function buildChatKinds({ port, keys }: OverloadTarget, { perSecond, paidShare, mix }: KindsOptions): OpenLoadKind[] {
  const encode = (key: string): OpenLoadRequest[] => TURNS[mix].map((isStreamed) => encodeChat(port, key, MODEL, isStreamed));
  return [
    { name: 'unpaid', perSecond: perSecond * (1 - paidShare), requests: encode(keys.unpaid) },
    { name: 'paid', perSecond: perSecond * paidShare, requests: encode(keys.paying) },
  ];
}

/** The same, with free models and lists among it. */
export function buildAllKinds(target: OverloadTarget, options: KindsOptions): OpenLoadKind[] {
  const { port, keys } = target;
  const list = `GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${keys.paying}\r\n\r\n`;
  return [
    { name: 'free', perSecond: FREE_PER_SECOND, requests: [encodeChat(port, keys.paying, FREE_MODEL, false)] },
    { name: 'lists', perSecond: options.perSecond * LISTS_SHARE, requests: [{ text: list }] },
    ...buildChatKinds(target, options),
  ];
}

function encodeChat(port: number, key: string, model: string, isStreamed: boolean): OpenLoadRequest {
  const body = createRequestBody(model, isStreamed);
  const text =
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n` +
    `authorization: Bearer ${key}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  return isStreamed ? { text, endMark: '[DONE]' } : { text };
}
