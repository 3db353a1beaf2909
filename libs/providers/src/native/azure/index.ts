import { invariant } from '@weir/errors';
import type { UpstreamTransport } from '@weir/upstream-http';
import type { Provider, ExpressLane } from '../../provider/provider';
import { createCompatibleProvider } from '../../openai-compatible/create-compatible-provider';
import { placeMediaLanes } from '../../openai-compatible/media/create-media-lanes';
import type { ReadEnv } from '../../settings/provider-settings';
import { createMessagesProvider } from '../anthropic';
import { createFrameCleaner } from './clean-frames';
import { createEmbeddings } from './embed';
import { createEncodeRequest, describeEntry, findHost, placeCall, type AzureHosts, type AzureId } from './encode-request';
import { readError } from './read-error';
import { readHosts } from './read-settings';
import { readUsage } from './read-usage';
import { codecOf, isMessagesModel, type Surfaces } from './surfaces';

/** Reads the account from the environment; undefined when there is none. */
export function openAzureProvider(id: AzureId, env: ReadEnv, transport: UpstreamTransport): Provider | undefined {
  const hosts = readHosts(id, env);
  return hosts === undefined ? undefined : createAzureProvider(id, hosts, transport);
}

/** Deployments behind the vendor's v1 interface; the name of the deployment is the name of the model. */
function createAzureProvider(id: AzureId, hosts: AzureHosts, transport: UpstreamTransport): Provider {
  const access = { ...hosts.own, transport, hasRegions: false };
  const chat = createCompatibleProvider(describeEntry(id, hosts.own.baseUrl), access);
  const messages = id === 'azure-ai' ? createMessagesProvider(id, { ...access, baseUrl: hosts.messagesBaseUrl }) : null;
  const secrets = [hosts.own, ...Object.values(hosts.zones)].map(({ apiKey }) => apiKey);
  invariant(chat.codec !== null && chat.express !== null, 'chat completions have both lanes');
  const embeddings = createEmbeddings(chat.embeddings, hosts);
  const surfaces: Surfaces = { chat: chat.codec, messages: messages?.codec ?? null };
  return {
    ...chat,
    cachePlaces: (target) => (messages !== null && isMessagesModel(target) ? (messages.cachePlaces?.(target) ?? null) : null),
    fetchedAddresses: (target) => (messages !== null && isMessagesModel(target) ? messages : chat).fetchedAddresses?.(target) ?? {},
    authorize: (call, target) =>
      messages !== null && isMessagesModel(target) ? messages.authorize(call, target) : { 'api-key': findHost(hosts, target).apiKey },
    express: createExpress(chat.express, hosts, messages !== null),
    codec: {
      encodeRequest: createEncodeRequest(surfaces, hosts),
      decodeReply: (text, target) => codecOf(surfaces, target).decodeReply(text, target),
      createStreamDecoder: (target) => codecOf(surfaces, target).createStreamDecoder(target),
    },
    ...(embeddings === undefined ? {} : { embeddings }),
    ...placeMediaLanes(chat, (call, target) => placeCall(call, target, hosts)),
    readError: (status, headers, text) => readError(status, headers, text, secrets),
  };
}

function createExpress(chat: ExpressLane, hosts: AzureHosts, hasMessages: boolean): ExpressLane {
  return {
    ...chat,
    suits: (body, target) => !(hasMessages && isMessagesModel(target)) && chat.suits?.(body, target) !== false,
    encodeOriginal: (body, target, stream) => placeCall(chat.encodeOriginal(body, target, stream), target, hosts),
    readUsage,
    createFrameCleaner,
  };
}
