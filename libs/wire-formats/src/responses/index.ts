import type { WireFormat } from '../dialect/wire-format';
import { decodeResponsesRequest } from './decode-request';
import { encodeResponsesReply } from './encode-reply';
import { createResponsesStreamEncoder } from './encode-stream';

export const responsesFormat: WireFormat = {
  dialect: 'responses',
  decodeRequest: decodeResponsesRequest,
  encodeReply: encodeResponsesReply,
  createStreamEncoder: createResponsesStreamEncoder,
};
