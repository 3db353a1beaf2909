import type { WireFormat } from '../dialect/wire-format';
import { decodeMessagesRequest } from './decode-request';
import { encodeMessagesReply } from './encode-reply';
import { createMessagesStreamEncoder } from './encode-stream';

export const messagesFormat: WireFormat = {
  dialect: 'messages',
  decodeRequest: decodeMessagesRequest,
  encodeReply: encodeMessagesReply,
  createStreamEncoder: createMessagesStreamEncoder,
};
