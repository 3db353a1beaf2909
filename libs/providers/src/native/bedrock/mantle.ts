import { invariant } from '@weir/errors';
import type { UpstreamTransport } from '@weir/upstream-http';
import type { ChatCodec, Provider } from '../../provider/provider';
import type { ExpressCall, ProviderTarget } from '../../provider/target';
import { compatibleProvider } from '../../openai-compatible/rules/compatible-provider.schema';
import { createCompatibleProvider } from '../../openai-compatible/create-compatible-provider';
import { normaliseBaseUrl, readProviderSettings, type ReadEnv } from '../../settings/provider-settings';
import { COMMON_TOOL_NAMES, withLegalToolNames } from '../../wire/with-legal-tool-names';
import { decodeReply } from '../openai-responses/decode-reply';
import { createStreamDecoder } from '../openai-responses/decode-stream';
import { encodeRequest } from '../openai-responses/encode-request';

const ID = 'bedrock-mantle';
const REGION_UNKNOWN = 'us-east-1';
/** Models that are served by the Responses API only. */
const RESPONSES_MODELS = /^openai\.gpt-[5-9]/;

/** The service's other host, with the interfaces of the models' maker. It takes an API key, and no signing keys. */
export function openMantleProvider(env: ReadEnv, transport: UpstreamTransport): Provider | undefined {
  const names = { apiKey: ['AWS_BEARER_TOKEN_BEDROCK'], baseUrl: [] };
  const { apiKey } = readProviderSettings(env, { ids: [ID, 'bedrock'], ...names });
  if (apiKey === undefined) return undefined;
  const region = env('AWS_REGION')?.trim() || env('AWS_DEFAULT_REGION')?.trim() || REGION_UNKNOWN;
  const named = readProviderSettings(env, { ids: [ID], ...names }).baseUrl;
  const baseUrl = named === undefined ? addressOf(region) : normaliseBaseUrl(named, addressOf(region), true);
  return createMantleProvider({ apiKey, baseUrl, hasRegions: named === undefined }, transport);
}

type MantleAccess = { readonly apiKey: string; readonly baseUrl: string; readonly hasRegions: boolean };

function createMantleProvider(access: MantleAccess, transport: UpstreamTransport): Provider {
  const chat = createCompatibleProvider(describeEntry(access.baseUrl), { ...access, transport });
  const { codec, express } = chat;
  invariant(codec !== null && express !== null, 'chat completions have both lanes');
  const responses = createResponsesCodec();
  const codecOf = (target: ProviderTarget): ChatCodec => (isResponsesModel(target) ? responses : codec);
  const place = <Call extends ExpressCall>(call: Call, { attempt }: ProviderTarget): Call =>
    attempt.region === null || !access.hasRegions ? call : { ...call, baseUrl: addressOf(attempt.region.toLowerCase()) };
  return {
    ...chat,
    onCancel: 'drain',
    express: {
      ...express,
      suits: (body, target) => !isResponsesModel(target) && express.suits?.(body, target) !== false,
      encodeOriginal: (body, target, stream) => place(express.encodeOriginal(body, target, stream), target),
    },
    codec: {
      encodeRequest: (request, target, losses) => place(codecOf(target).encodeRequest(request, target, losses), target),
      decodeReply: (text, target) => codecOf(target).decodeReply(text, target),
      createStreamDecoder: (target) => codecOf(target).createStreamDecoder(target),
    },
  };
}

function isResponsesModel({ attempt }: ProviderTarget): boolean {
  return RESPONSES_MODELS.test(attempt.upstreamModel);
}

function addressOf(region: string): string {
  return `https://bedrock-mantle.${region}.api.aws/openai/v1`;
}

function describeEntry(baseUrl: string) {
  const endpoints = { chat: '/chat/completions' };
  return compatibleProvider.parse({
    id: ID,
    name: 'Amazon Bedrock (Mantle)',
    baseUrl,
    env: { apiKey: [], baseUrl: [] },
    endpoints,
    fetchedAddresses: { image: [] },
    members: { unknown: 'passed' },
    pricedTiers: ['flex', 'priority'],
  });
}

/** State issued here is not the same as what the models' maker issues at home. */
function createResponsesCodec(): ChatCodec {
  const contextOf = (target: ProviderTarget) => ({ family: ID, fallbackModel: target.attempt.upstreamModel });
  const codec: ChatCodec = {
    encodeRequest: (request, target, losses) => encodeRequest(request, { family: ID, target, losses }),
    decodeReply: (text, target) => decodeReply(text, contextOf(target)),
    createStreamDecoder: (target) => createStreamDecoder(contextOf(target)),
  };
  return withLegalToolNames(codec, COMMON_TOOL_NAMES);
}
