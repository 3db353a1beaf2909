import { joinBody } from '@weir/canonical';
import type { UpstreamTransport } from '@weir/upstream-http';
import type { Provider } from '../../provider/provider';
import type { EncodedCall, ExpressCall, ProviderTarget } from '../../provider/target';
import { NO_ADDRESSES } from '../../provider/fetched-addresses';
import { readProviderSettings, type ReadEnv } from '../../settings/provider-settings';
import { COMMON_TOOL_NAMES, withLegalToolNames } from '../../wire/with-legal-tool-names';
import { createCallMemory } from './call-notes';
import type { DecodeContext } from './decode-blocks';
import { decodeReply } from './decode-reply';
import { createStreamDecoder } from './decode-stream';
import { embeddingCodec } from './embed';
import { encodeRequest } from './encode-request';
import { findRegion } from './find-region';
import { createImageLane } from './images';
import { findModelTraits } from './model-traits';
import { readError } from './read-error';
import { bearer, createSigner } from './sign-request';

export { openMantleProvider } from './mantle';

/** State that came through Converse, whichever maker's model issued it. */
const FAMILY = 'converse';

const REGION_UNKNOWN = 'us-east-1';

type ConverseAccess = {
  /** An API key of the service, or an account's keys to sign with. */
  readonly credential:
    | { readonly kind: 'api-key'; readonly apiKey: string }
    | {
        readonly kind: 'keys';
        readonly accessKeyId: string;
        readonly secretAccessKey: string;
        readonly sessionToken: string | undefined;
      };
  /** The gateway's own region. */
  readonly region: string;
  /** Instead of the service's addresses in all regions. */
  readonly baseUrl: string | undefined;
  readonly transport: UpstreamTransport;
};

/** Reads the account from the environment; undefined when there is none. */
export function openConverseProvider(env: ReadEnv, transport: UpstreamTransport): Provider | undefined {
  const settings = readProviderSettings(env, {
    ids: ['bedrock'],
    apiKey: ['AWS_BEARER_TOKEN_BEDROCK'],
    baseUrl: ['AWS_ENDPOINT_URL_BEDROCK_RUNTIME'],
  });
  const read = (name: string): string | undefined => env(name)?.trim() || undefined;
  const accessKeyId = read('AWS_ACCESS_KEY_ID');
  const secretAccessKey = read('AWS_SECRET_ACCESS_KEY');
  const credential =
    settings.apiKey !== undefined
      ? ({ kind: 'api-key', apiKey: settings.apiKey } as const)
      : accessKeyId !== undefined && secretAccessKey !== undefined
        ? ({ kind: 'keys', accessKeyId, secretAccessKey, sessionToken: read('AWS_SESSION_TOKEN') } as const)
        : undefined;
  if (credential === undefined) return undefined;
  const region = read('AWS_REGION') ?? read('AWS_DEFAULT_REGION') ?? REGION_UNKNOWN;
  return createConverseProvider({ credential, region, baseUrl: settings.baseUrl?.replace(/\/+$/, ''), transport });
}

/** Models of many makers behind the one interface Converse. No dialect of our callers is its own. */
function createConverseProvider(access: ConverseAccess): Provider {
  const memory = createCallMemory();
  const contextOf = (target: ProviderTarget): DecodeContext => ({
    family: FAMILY,
    fallbackModel: target.attempt.upstreamModel,
    notes: memory.find(target),
  });
  const addressFor = (target: ProviderTarget): { readonly baseUrl: string } => ({
    baseUrl: access.baseUrl ?? addressOf(findRegion(target.attempt, access.region)),
  });
  const place = (call: EncodedCall, target: ProviderTarget): EncodedCall => ({ ...call, ...addressFor(target) });
  const { credential } = access;
  const secrets = credential.kind === 'api-key' ? [credential.apiKey] : [credential.secretAccessKey, credential.sessionToken ?? ''];
  return {
    id: 'bedrock',
    modalities: ['chat', 'embedding', 'image'],
    onCancel: 'drain',
    baseUrl: access.baseUrl ?? addressOf(access.region),
    authorize: createAuthorize(access),
    transport: access.transport,
    fetchedAddresses: () => NO_ADDRESSES,
    cachePlaces: ({ attempt }) => {
      const { caches } = findModelTraits(attempt.upstreamModel);
      return caches.prompt ? { tools: caches.tools } : null;
    },
    express: null,
    codec: withLegalToolNames(
      {
        encodeRequest(request, target, losses) {
          const { call, notes } = encodeRequest(request, { family: FAMILY, target, losses });
          memory.remember(target, notes);
          return place(call, target);
        },
        decodeReply: (text, target) => decodeReply(text, contextOf(target)),
        createStreamDecoder: (target) => createStreamDecoder(contextOf(target)),
      },
      COMMON_TOOL_NAMES,
    ),
    embeddings: {
      ...embeddingCodec,
      encodeRequest: (request, target, losses) => place(embeddingCodec.encodeRequest(request, target, losses), target),
    },
    images: createImageLane(addressFor),
    readError: (status, headers, text) => readError(status, headers, text, secrets),
  };
}

function addressOf(region: string): string {
  return `https://bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

function createAuthorize({ credential, region, baseUrl }: ConverseAccess): Provider['authorize'] {
  if (credential.kind === 'api-key') {
    const headers = bearer(credential.apiKey);
    return () => headers;
  }
  const sign = createSigner(credential);
  return (call: ExpressCall, target) => {
    const place = findRegion(target.attempt, region);
    return sign({ url: `${call.baseUrl ?? baseUrl ?? addressOf(place)}${call.path}`, body: joinBody(call.body) }, place);
  };
}
