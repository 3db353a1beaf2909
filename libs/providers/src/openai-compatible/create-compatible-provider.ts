import { mayHoldWord } from '@weir/canonical';
import type { UpstreamTransport } from '@weir/upstream-http';
import type { Provider } from '../provider/provider';
import type { EncodedCall, ProviderTarget } from '../provider/target';
import { explainFailure, readProviderWords } from '../failures/explain-failure';
import type { FetchedAddresses } from '../provider/fetched-addresses';
import { withoutUndefined } from '../wire/json-value';
import { createCustomToolMemory } from '../wire/remember-custom-tools';
import { COMMON_TOOL_NAMES, withLegalToolNames } from '../wire/with-legal-tool-names';
import { withRegion } from '../wire/with-region';
import { withTier } from '../wire/with-tier';
import type { CompatibleProvider } from './rules/compatible-provider.schema';
import { decodeReply, type DecodeContext } from './decode-reply';
import { createStreamDecoder } from './decode-stream';
import { createEmbeddingLane } from './create-embedding-lane';
import { createMediaLanes } from './media/create-media-lanes';
import { createEncodeOriginal } from './encode-original';
import { createEncodeRequest } from './encode-request';
import { planMemberRules, type MemberRules } from '../members/member-rules';
import { listTiers } from './list-tiers';
import { isSearchModel } from './rewrite-members';
import { readUsage } from './read-usage';

/** What an installation adds to a provider's entry. */
type ProviderAccess = {
  readonly apiKey: string | undefined;
  readonly baseUrl: string;
  readonly transport: UpstreamTransport;
  /** False when the operator named an address: regions of the vendor's own service do not apply then. */
  readonly hasRegions: boolean;
  /** The operator states that its replies keep to the dialect: none is put right. */
  readonly conforms?: boolean;
};

/** A provider that speaks chat completions, made from its entry alone. */
export function createCompatibleProvider(entry: CompatibleProvider, access: ProviderAccess): Provider {
  const memory = createCustomToolMemory();
  const encodeRequest = createEncodeRequest(entry);
  const headers = { ...entry.extraHeaders, ...encodeCredential(entry, access.apiKey) };
  const contextOf = (target: ProviderTarget): DecodeContext => ({
    usage: entry.usage,
    pricedTiers: entry.pricedTiers,
    detailsFamily: entry.id,
    fallbackModel: target.attempt.upstreamModel,
    customTools: entry.hasCustomTools ? new Set() : memory.find(target),
  });
  const place = <Call extends Pick<EncodedCall, 'baseUrl'>>(call: Call, target: ProviderTarget): Call =>
    withRegion(call, target, access.hasRegions ? entry.regions : {});
  const encodeOriginal = createEncodeOriginal(entry);
  const embeddings = createEmbeddingLane(entry, place);
  const fetched = entry.fetchedAddresses === undefined ? undefined : (withoutUndefined(entry.fetchedAddresses) as FetchedAddresses);
  return {
    id: entry.id,
    modalities: modalitiesOf(entry),
    paths: entry.endpoints,
    onCancel: entry.cancel,
    baseUrl: access.baseUrl,
    authorize: () => headers,
    transport: access.transport,
    members: planChatMembers(entry),
    embeddingMembers: planMemberRules('embeddings', entry.members),
    namesDeployments: entry.namesDeployments,
    ...(fetched === undefined ? {} : { fetchedAddresses: () => fetched }),
    express: {
      dialect: 'chat-completions',
      suits: (body, target) => !entry.searchesThroughResponses || isSearchModel(target) || !mayHoldWord(body, 'web_search'),
      encodeOriginal: (body, target, stream) => place(encodeOriginal(body, target, stream), target),
      deviations: access.conforms === true ? [] : entry.deviations,
      readUsage: (usage, tier) => withTier(readUsage(usage, entry.usage), tier, entry.pricedTiers),
    },
    codec: withLegalToolNames(
      {
        encodeRequest(request, target, losses) {
          memory.remember(request, target);
          return place(encodeRequest(request, target, losses), target);
        },
        decodeReply: (text, target) => decodeReply(text, contextOf(target)),
        createStreamDecoder: (target) => createStreamDecoder(contextOf(target)),
      },
      COMMON_TOOL_NAMES,
    ),
    ...(embeddings === undefined ? {} : { embeddings }),
    ...createMediaLanes(entry, place),
    readError(status, responseHeaders, text) {
      const secrets = access.apiKey === undefined ? [] : [access.apiKey];
      return explainFailure({ status, headers: responseHeaders, words: readProviderWords(text), secrets });
    },
  };
}

/** A search is priced where the provider has a way to ask for one; tiers are known by the entry. */
function planChatMembers({ members, webSearch, ...entry }: CompatibleProvider): MemberRules {
  const searches = webSearch === 'options' || webSearch === 'always';
  return planMemberRules('chat-completions', {
    ...members,
    choosing: {
      service_tier: { chooses: 'tier', use: 'dropped', unless: listTiers(entry) },
      ...(searches ? { web_search_options: { chooses: 'tool', use: 'priced' } } : {}),
      ...members.choosing,
    },
  });
}

function encodeCredential(entry: CompatibleProvider, apiKey: string | undefined): Record<string, string> {
  if (apiKey === undefined) return {};
  return entry.credential === 'bearer' ? { authorization: `Bearer ${apiKey}` } : { [entry.credential.header]: apiKey };
}

function modalitiesOf({ endpoints }: CompatibleProvider): Provider['modalities'] {
  return [
    'chat' as const,
    ...(endpoints.embedding === undefined ? [] : (['embedding'] as const)),
    ...(endpoints.image === undefined ? [] : (['image'] as const)),
    ...(endpoints.speech === undefined ? [] : (['speech'] as const)),
    ...(endpoints.transcription === undefined ? [] : (['transcription'] as const)),
  ];
}
