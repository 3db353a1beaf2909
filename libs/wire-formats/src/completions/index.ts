import { decodeChatRequest } from '../chat-completions/decode-request';
import type { WireFormat } from '../dialect/wire-format';
import { encodeTextReply } from './encode-reply';
import { createTextStreamEncoder } from './encode-stream';

export { translateCompletionsBody } from './translate-body';

/** The older completions dialect. Its requests have become chat completions when they are admitted; its replies hold text only. */
export const completionsFormat: WireFormat = {
  dialect: 'chat-completions',
  isAlwaysTranslated: true,
  decodeRequest: decodeChatRequest,
  encodeReply: encodeTextReply,
  createStreamEncoder: createTextStreamEncoder,
};
