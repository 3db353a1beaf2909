import { normaliseBaseUrl, readProviderSettings, type ReadEnv } from '../../settings/provider-settings';
import type { AzureHost, AzureHosts, AzureId } from './encode-request';

const CHAT_PATH = '/openai/v1';
const MESSAGES_PATH = '/anthropic/v1';
const ZONES = ['eu', 'us'] as const;

const NAMES = {
  azure: { apiKey: ['AZURE_OPENAI_API_KEY', 'AZURE_API_KEY'], baseUrl: ['AZURE_OPENAI_ENDPOINT'], host: 'openai.azure.com' },
  'azure-ai': { apiKey: ['AZURE_AI_API_KEY'], baseUrl: ['AZURE_AI_API_BASE'], host: 'services.ai.azure.com' },
} as const;

/** The hosts of one resource; undefined where the environment names no key or no resource. */
export function readHosts(id: AzureId, env: ReadEnv): AzureHosts | undefined {
  const { host, ...names } = NAMES[id];
  const { apiKey, baseUrl } = readProviderSettings(env, { ids: [id], ...names });
  const resource = env('AZURE_RESOURCE_NAME')?.trim() || undefined;
  const address = baseUrl ?? (resource === undefined ? undefined : `https://${resource}.${host}`);
  if (apiKey === undefined || address === undefined) return undefined;
  return {
    own: { apiKey, baseUrl: toAddress(address) },
    messagesBaseUrl: `${new URL(address).origin}${MESSAGES_PATH}`,
    zones: id === 'azure' ? readZones(env, apiKey) : {},
  };
}

/** PROVIDER_AZURE_EU_BASE_URL and its like; the key is the resource's own unless the zone has one. */
function readZones(env: ReadEnv, ownKey: string): Readonly<Record<string, AzureHost>> {
  const hosts: Record<string, AzureHost> = {};
  for (const zone of ZONES) {
    const { apiKey = ownKey, baseUrl } = readProviderSettings(env, { ids: [`azure-${zone}`], apiKey: [], baseUrl: [] });
    if (baseUrl !== undefined) hosts[zone] = { apiKey, baseUrl: toAddress(baseUrl) };
  }
  return hosts;
}

/** The vendor's own hosts are named with all kinds of paths, of which one leads to the interface spoken here. */
function toAddress(given: string): string {
  const { origin, hostname } = new URL(given);
  return hostname.endsWith('.azure.com') ? `${origin}${CHAT_PATH}` : normaliseBaseUrl(given, `${origin}${CHAT_PATH}`, true);
}
