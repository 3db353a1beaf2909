import type { ChatProvider, ProviderTarget } from '../../chat-provider';
import { createCustomToolMemory } from '../../wire/remember-custom-tools';
import type { NativeAccess } from '../native-provider';
import type { DecodeContext } from './decode-blocks';
import { decodeReply } from './decode-reply';
import { createStreamDecoder } from './decode-stream';
import { encodeCount, encodeOriginal, encodeRequest } from './encode-request';
import { readError } from './read-error';
import { readUsage } from './read-usage';
import { signRequest } from './sign-request';

/** A provider that speaks the Messages API. Its id is also the family of the state it issues. */
export function createMessagesProvider(id: string, access: NativeAccess): ChatProvider {
  const memory = createCustomToolMemory();
  const credential = signRequest(access.apiKey);
  const contextOf = (target: ProviderTarget): DecodeContext => ({
    family: id,
    fallbackModel: target.attempt.upstreamModel,
    customTools: memory.find(target),
  });
  return {
    id,
    modalities: ['chat'],
    onCancel: 'abort',
    baseUrl: access.baseUrl,
    authorize: () => credential,
    transport: access.transport,
    express: { dialect: 'messages', encodeOriginal, encodeCount, readUsage },
    codec: {
      encodeRequest(request, target, losses) {
        memory.remember(request, target);
        return encodeRequest(request, { family: id, target, losses });
      },
      decodeReply: (text, target) => decodeReply(text, contextOf(target)),
      createStreamDecoder: (target) => createStreamDecoder(contextOf(target)),
    },
    readError: (status, headers, text) => readError(status, headers, { text, secrets: [access.apiKey] }),
  };
}
