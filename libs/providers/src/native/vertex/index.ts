import { invariant } from '@weir/errors';
import type { UpstreamTransport } from '@weir/upstream-http';
import type { ChatCodec, Provider } from '../../provider/provider';
import type { ProviderTarget } from '../../provider/target';
import type { FetchedAddresses } from '../../provider/fetched-addresses';
import { compatibleProvider } from '../../openai-compatible/rules/compatible-provider.schema';
import { createCompatibleProvider } from '../../openai-compatible/create-compatible-provider';
import type { ReadEnv } from '../../settings/provider-settings';
import { createCustomToolMemory } from '../../wire/remember-custom-tools';
import { withLegalToolNames } from '../../wire/with-legal-tool-names';
import { TOOL_NAMES } from '../google/encode-tools';
import { createMessagesProvider } from '../anthropic';
import { readUsage } from '../anthropic/read-usage';
import { decodeReply as decodeGoogleReply } from '../google/decode-reply';
import { createStreamDecoder as createGoogleDecoder } from '../google/decode-stream';
import { encodeRequest as encodeGoogleRequest } from '../google/encode-request';
import { readError } from '../google/read-error';
import { createEmbeddingCodec } from './embed';
import { addressOf, createEncodeOriginal, createEncodeRequest } from './encode-request';
import { createImageLane } from './images';
import { readAccount, type VertexAccount } from './read-settings';
import { bearer, createFetchToken, createTokenSource } from './sign-request';
import { createSpeechLane } from './speech';
import { codecOf, findSurface, type Surface, type Surfaces } from './surfaces';
import { createTranscriptionLane } from './transcription';

/** State is kept apart by model maker, and from what the makers' own services issue. */
const GOOGLE_FAMILY = 'vertex';
const MESSAGES_FAMILY = 'vertex-messages';

/** Reads the account from the environment; undefined when there is none. */
export function openVertexProvider(env: ReadEnv, transport: UpstreamTransport): Provider | undefined {
  const account = readAccount(env);
  return account === undefined ? undefined : createVertexProvider(account, transport);
}

/** Models of several makers in one project, each by its maker's own interface. */
export function createVertexProvider({ place, credential }: VertexAccount, transport: UpstreamTransport): Provider {
  const baseUrl = place.baseUrl ?? addressOf(place.location);
  const access = { apiKey: '', baseUrl, transport, hasRegions: false };
  const messages = createMessagesProvider(MESSAGES_FAMILY, access, { needsState: true });
  const chat = createCompatibleProvider(OPEN_MODELS, access);
  invariant(messages.codec !== null && messages.express !== null && chat.codec !== null, 'both interfaces have their lanes');
  const surfaces: Surfaces = { google: createGoogleCodec(), messages: messages.codec, chat: chat.codec };
  const findToken =
    credential.kind === 'token' ? () => credential.token : createTokenSource(createFetchToken(credential.content, transport));
  return {
    id: 'vertex',
    modalities: ['chat', 'embedding', 'image', 'speech', 'transcription'],
    onCancel: 'drain',
    baseUrl,
    authorize() {
      const token = findToken();
      return typeof token === 'string' ? bearer(token) : token.then(bearer);
    },
    transport,
    fetchedAddresses: (target) => FETCHED[findSurface(target)],
    cachePlaces: (target) => (findSurface(target) === 'messages' ? (messages.cachePlaces?.(target) ?? null) : null),
    // Only bodies of the messages dialect go on as they are.
    ...(messages.members === undefined ? {} : { members: messages.members }),
    express: {
      dialect: 'messages',
      history: { family: MESSAGES_FAMILY, needsState: true },
      suits: (_body, target) => findSurface(target) === 'messages',
      encodeOriginal: createEncodeOriginal(messages.express, place),
      readUsage,
    },
    codec: {
      encodeRequest: createEncodeRequest(surfaces, place),
      decodeReply: (text, target) => codecOf(surfaces, target).decodeReply(text, target),
      createStreamDecoder: (target) => codecOf(surfaces, target).createStreamDecoder(target),
    },
    embeddings: createEmbeddingCodec(place),
    images: createImageLane(place),
    speech: createSpeechLane(place),
    transcription: createTranscriptionLane(place),
    // Errors of other makers' models have the same members where it matters.
    readError: (status, headers, text) =>
      readError(status, headers, { text, secrets: credential.kind === 'token' ? [credential.token] : [] }),
  };
}

/** One maker's models read pages of the web by themselves; pictures have to name their type there, which an address often does not. */
const FETCHED: Readonly<Record<Surface, FetchedAddresses>> = {
  google: { image: [], document: ['https://'], video: ['https://'] },
  messages: { image: [], document: [] },
  mistral: {},
  open: {},
};

/** Open models speak chat completions at one common endpoint. */
const OPEN_MODELS = compatibleProvider.parse({
  id: 'vertex',
  name: 'Google Vertex AI',
  baseUrl: addressOf('global'),
  env: { apiKey: [], baseUrl: [] },
  endpoints: { chat: '/chat/completions' },
  renameParams: { max_completion_tokens: 'max_tokens' },
});

function createGoogleCodec(): ChatCodec {
  const memory = createCustomToolMemory();
  const contextOf = (target: ProviderTarget) => ({
    family: GOOGLE_FAMILY,
    fallbackModel: target.attempt.upstreamModel,
    customTools: memory.find(target),
  });
  const codec: ChatCodec = {
    encodeRequest({ serviceTier, ...request }, target, losses) {
      // Tiers are bought for a project here and not asked for.
      if (serviceTier !== undefined && serviceTier !== 'auto') losses.dropped.add('service_tier');
      memory.remember(request, target);
      return encodeGoogleRequest(request, { family: GOOGLE_FAMILY, target, losses });
    },
    decodeReply: (text, target) => decodeGoogleReply(text, contextOf(target)),
    createStreamDecoder: (target) => createGoogleDecoder(contextOf(target)),
  };
  return withLegalToolNames(codec, TOOL_NAMES);
}
