import type { ChatProvider, ProviderTarget } from '../../chat-provider';
import { createCustomToolMemory } from '../../wire/remember-custom-tools';
import type { NativeAccess } from '../native-provider';
import type { DecodeContext } from './candidate-stream';
import { decodeReply } from './decode-reply';
import { createStreamDecoder } from './decode-stream';
import { embeddingCodec } from './embed';
import { encodeRequest } from './encode-request';
import { readError } from './read-error';
import { signRequest } from './sign-request';

const FAMILY = 'google';

/** The Gemini API. No dialect of our callers is its own, so everything goes through the codec. */
export function createGoogleProvider(access: NativeAccess): ChatProvider {
  const memory = createCustomToolMemory();
  const credential = signRequest(access.apiKey);
  const contextOf = (target: ProviderTarget): DecodeContext => ({
    family: FAMILY,
    fallbackModel: target.attempt.upstreamModel,
    customTools: memory.find(target),
  });
  return {
    id: 'google',
    modalities: ['chat', 'embedding'],
    onCancel: 'drain',
    baseUrl: access.baseUrl,
    authorize: () => credential,
    transport: access.transport,
    express: null,
    codec: {
      encodeRequest(request, target, losses) {
        memory.remember(request, target);
        return encodeRequest(request, { family: FAMILY, target, losses });
      },
      decodeReply: (text, target) => decodeReply(text, contextOf(target)),
      createStreamDecoder: (target) => createStreamDecoder(contextOf(target)),
    },
    embeddings: embeddingCodec,
    readError: (status, headers, text) => readError(status, headers, { text, secrets: [access.apiKey] }),
  };
}
