import { GatewayError } from '@weir/errors';
import type { ChatCodec } from '../../provider/provider';
import type { EncodedCall, ProviderTarget } from '../../provider/target';
import { compatibleProvider, type CompatibleProvider } from '../../openai-compatible/rules/compatible-provider.schema';
import entries from '../../openai-compatible/rules/compatible-providers.json';
import { codecOf, isMessagesModel, type Surfaces } from './surfaces';

export type AzureId = 'azure' | 'azure-ai';

/** Where calls go and with which key. */
export type AzureHost = { readonly apiKey: string; readonly baseUrl: string };

/** `zones`: deployments whose data stays in an area; their models are catalogued under hosts of their own. */
export type AzureHosts = {
  readonly own: AzureHost;
  readonly messagesBaseUrl: string;
  readonly zones: Readonly<Record<string, AzureHost>>;
};

const ZONE = /^azure-([a-z]+)\//;

/**
 * The entry of the vendor whose models these are, on another host: other credentials, no regions, no search. Models
 * of other makers have the same interface and none of that vendor's rules.
 */
export function describeEntry(id: AzureId, baseUrl: string): CompatibleProvider {
  const names = { namesDeployments: true, members: { unknown: 'passed' } };
  const access = { id, baseUrl, credential: { header: 'api-key' }, env: { apiKey: [], baseUrl: [] }, ...names };
  if (id === 'azure-ai') {
    const endpoints = { chat: '/chat/completions', embedding: '/embeddings', image: '/images/generations', imageEdit: '/images/edits' };
    const images = { countMax: 1, delivery: 'base64' };
    return compatibleProvider.parse({ ...access, name: 'Azure AI Foundry', endpoints, images, reasoningParam: 'effort', filePart: 'none' });
  }
  const vendor = entries.find((entry) => entry.id === 'openai');
  // Where its filter cuts an answer off, the message is left out.
  const deviations = ['members-left-out'];
  const differences = { name: 'Azure OpenAI', deviations, regions: {}, webSearch: 'none', searchesThroughResponses: false };
  return compatibleProvider.parse({ ...vendor, ...access, ...differences });
}

/** The host that an attempt goes to. Throws rather than let data leave the area its model was chosen for. */
export function findHost({ own, zones }: AzureHosts, { attempt }: ProviderTarget): AzureHost {
  const zone = ZONE.exec(attempt.modelId)?.[1];
  if (zone === undefined) return own;
  const host = zones[zone];
  if (host === undefined) {
    throw new GatewayError('provider_not_configured', `The provider of the model "${attempt.modelId}" is not set up in this gateway.`);
  }
  return host;
}

/** The call with its address. */
export function placeCall<Call extends Pick<EncodedCall, 'baseUrl'>>(call: Call, target: ProviderTarget, hosts: AzureHosts): Call {
  return { ...call, baseUrl: isMessagesModel(target) ? hosts.messagesBaseUrl : findHost(hosts, target).baseUrl };
}

export function createEncodeRequest(surfaces: Surfaces, hosts: AzureHosts): ChatCodec['encodeRequest'] {
  return (request, target, losses) => placeCall(codecOf(surfaces, target).encodeRequest(request, target, losses), target, hosts);
}
