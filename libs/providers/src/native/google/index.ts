import type { Provider } from '../../provider/provider';
import type { ProviderTarget } from '../../provider/target';
import type { FetchedAddresses } from '../../provider/fetched-addresses';
import { createCustomToolMemory } from '../../wire/remember-custom-tools';
import { withLegalToolNames } from '../../wire/with-legal-tool-names';
import { TOOL_NAMES } from './encode-tools';
import type { NativeAccess } from '../../settings/native-provider';
import type { DecodeContext } from './candidate-stream';
import { decodeReply } from './decode-reply';
import { createStreamDecoder } from './decode-stream';
import { embeddingCodec } from './embed';
import { encodeRequest } from './encode-request';
import { createImageLane } from './images';
import { readError } from './read-error';
import { speechLane } from './speech';
import { transcriptionLane } from './transcription';

const FAMILY = 'google';

/** Files that were uploaded to the service itself, and videos of one site. */
const OWN_FILES = 'https://generativelanguage.googleapis.com/';
const FETCHED: FetchedAddresses = {
  image: [OWN_FILES],
  document: [OWN_FILES],
  video: [OWN_FILES, 'https://www.youtube.com/', 'https://youtube.com/', 'https://m.youtube.com/', 'https://youtu.be/'],
};

/** The Gemini API. No dialect of our callers is its own, so everything goes through the codec. */
export function createGoogleProvider(access: NativeAccess): Provider {
  const memory = createCustomToolMemory();
  const credential = { 'x-goog-api-key': access.apiKey };
  const contextOf = (target: ProviderTarget): DecodeContext => ({
    family: FAMILY,
    fallbackModel: target.attempt.upstreamModel,
    customTools: memory.find(target),
  });
  return {
    id: 'google',
    modalities: ['chat', 'embedding', 'image', 'speech', 'transcription'],
    onCancel: 'drain',
    baseUrl: access.baseUrl,
    authorize: () => credential,
    transport: access.transport,
    fetchedAddresses: () => FETCHED,
    express: null,
    codec: withLegalToolNames(
      {
        encodeRequest(request, target, losses) {
          memory.remember(request, target);
          return encodeRequest(request, { family: FAMILY, target, losses });
        },
        decodeReply: (text, target) => decodeReply(text, contextOf(target)),
        createStreamDecoder: (target) => createStreamDecoder(contextOf(target)),
      },
      TOOL_NAMES,
    ),
    embeddings: embeddingCodec,
    images: createImageLane('gemini'),
    speech: speechLane,
    transcription: transcriptionLane,
    readError: (status, headers, text) => readError(status, headers, { text, secrets: [access.apiKey] }),
  };
}
