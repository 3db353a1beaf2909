import type { ChatCodec, Provider } from '../../provider/provider';
import type { ProviderTarget } from '../../provider/target';
import { readPlainError } from '../../failures/read-plain-error';
import { COMMON_TOOL_NAMES, withLegalToolNames } from '../../wire/with-legal-tool-names';
import { withRegion } from '../../wire/with-region';
import { withTier } from '../../wire/with-tier';
import type { NativeAccess } from '../../settings/native-provider';
import { decodeReply } from './decode-reply';
import { createStreamDecoder } from './decode-stream';
import { encodeCount, encodeOriginal, encodeRequest } from './encode-request';
import { MEMBERS } from './members';
import { readUsage } from './read-usage';

/** State that the Responses API issued, through any host. */
const FAMILY = 'openai';

const REGIONS = { EU: 'https://eu.api.openai.com/v1', US: 'https://us.api.openai.com/v1' } as const;

export function createResponsesProvider(access: NativeAccess): Provider {
  const credential = { authorization: `Bearer ${access.apiKey}` };
  const regions = access.hasRegions ? REGIONS : {};
  const codec = createResponsesCodec();
  return {
    id: 'openai-responses',
    modalities: ['chat'],
    onCancel: 'abort',
    baseUrl: access.baseUrl,
    authorize: () => credential,
    transport: access.transport,
    members: MEMBERS,
    express: {
      dialect: 'responses',
      history: { family: FAMILY, needsState: access.hasRegions },
      encodeOriginal: (body, target, stream) => withRegion(encodeOriginal(body, target, stream), target, regions),
      encodeCount: (body, target) => withRegion(encodeCount(body, target), target, regions),
      readUsage: (usage, tier) => withTier(readUsage(usage), tier),
    },
    codec: {
      ...codec,
      encodeRequest: (request, target, losses) => withRegion(codec.encodeRequest(request, target, losses), target, regions),
    },
    readError: (status, headers, text) => readPlainError(status, headers, text, [access.apiKey]),
  };
}

export function createResponsesCodec(): ChatCodec {
  const contextOf = (target: ProviderTarget) => ({ family: FAMILY, fallbackModel: target.attempt.upstreamModel });
  const codec: ChatCodec = {
    encodeRequest: (request, target, losses) => encodeRequest(request, { family: FAMILY, target, losses }),
    decodeReply: (text, target) => decodeReply(text, contextOf(target)),
    createStreamDecoder: (target) => createStreamDecoder(contextOf(target)),
  };
  return withLegalToolNames(codec, COMMON_TOOL_NAMES);
}
