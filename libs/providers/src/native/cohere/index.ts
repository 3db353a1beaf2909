import type { Provider } from '../../provider/provider';
import type { ProviderTarget } from '../../provider/target';
import { readPlainError } from '../../failures/read-plain-error';
import { cohereEmbeddingCodec } from '../../embedding/cohere-embed';
import { createCustomToolMemory } from '../../wire/remember-custom-tools';
import { COMMON_TOOL_NAMES, withLegalToolNames } from '../../wire/with-legal-tool-names';
import type { NativeAccess } from '../../settings/native-provider';
import { decodeReply } from './decode-reply';
import { createStreamDecoder } from './decode-stream';
import { encodeRequest } from './encode-request';
import type { DecodeContext } from './reply-stream';

/** Version 2 of Cohere's API. No dialect of our callers is its own, so everything goes through the codec. */
export function createCohereProvider(access: NativeAccess): Provider {
  const memory = createCustomToolMemory();
  const credential = { authorization: `Bearer ${access.apiKey}` };
  const contextOf = (target: ProviderTarget): DecodeContext => ({
    fallbackModel: target.attempt.upstreamModel,
    customTools: memory.find(target),
  });
  return {
    id: 'cohere',
    modalities: ['chat', 'embedding'],
    onCancel: 'abort',
    baseUrl: access.baseUrl,
    authorize: () => credential,
    transport: access.transport,
    express: null,
    codec: withLegalToolNames(
      {
        encodeRequest(request, target, losses) {
          memory.remember(request, target);
          return encodeRequest(request, { target, losses });
        },
        decodeReply: (text, target) => decodeReply(text, contextOf(target)),
        createStreamDecoder: (target) => createStreamDecoder(contextOf(target)),
      },
      COMMON_TOOL_NAMES,
    ),
    embeddings: cohereEmbeddingCodec,
    readError: (status, headers, text) => readPlainError(status, headers, text, [access.apiKey]),
  };
}
