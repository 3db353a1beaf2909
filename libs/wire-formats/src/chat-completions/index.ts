import type { WireFormat } from '../dialect/wire-format';
import { decodeChatRequest } from './decode-request';
import { encodeChatReply } from './encode-reply';
import { createChatStreamEncoder } from './encode-stream';

export const chatCompletionsFormat: WireFormat = {
  dialect: 'chat-completions',
  decodeRequest: decodeChatRequest,
  encodeReply: encodeChatReply,
  createStreamEncoder: createChatStreamEncoder,
};
