import { createRequestBody } from '../sample-bodies';
import type { OpenLoadKind } from './open-load-job';
import type { OverloadHouse } from './start-overload-house';

export type KindsOptions = {
  /** Requests a second for chat, in all. */
  readonly perSecond: number;
  /** Of those, by organizations that pay. */
  readonly paidShare: number;
  readonly isStreamed: boolean;
};

const MODEL = 'openai/gpt-4o-mini';
const FREE_MODEL = 'sandbox/chat-free';
/** Few: a day has a thousand of them. */
const FREE_PER_SECOND = 4;
/** Lists and reports, for each request for chat. */
const LISTS_SHARE = 0.1;

/** Chat for who pays and who never did, in the share that is asked for. */
export function buildChatKinds({ port, keys }: OverloadHouse, { perSecond, paidShare, isStreamed }: KindsOptions): OpenLoadKind[] {
  const endMark = isStreamed ? { endMark: '[DONE]' } : {};
  const encode = (key: string): string => encodeChat(port, key, createRequestBody(MODEL, isStreamed));
  return [
    { name: 'unpaid', perSecond: perSecond * (1 - paidShare), request: encode(keys.unpaid), ...endMark },
    { name: 'paid', perSecond: perSecond * paidShare, request: encode(keys.paying), ...endMark },
  ];
}

/** The same, with free models and lists among it. */
export function buildAllKinds(house: OverloadHouse, options: KindsOptions): OpenLoadKind[] {
  const { port, keys } = house;
  const list = `GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${keys.paying}\r\n\r\n`;
  return [
    { name: 'free', perSecond: FREE_PER_SECOND, request: encodeChat(port, keys.paying, createRequestBody(FREE_MODEL, false)) },
    { name: 'lists', perSecond: options.perSecond * LISTS_SHARE, request: list },
    ...buildChatKinds(house, options),
  ];
}

function encodeChat(port: number, key: string, body: string): string {
  return (
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n` +
    `authorization: Bearer ${key}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  );
}
