import { createSandboxTransport } from '@weir/sandbox';
import type { Provider } from '../provider/provider';
import { compatibleProvider } from './rules/compatible-provider.schema';
import { createCompatibleProvider } from './create-compatible-provider';
import { findChatFault } from './find-chat-fault';

const BASE_URL = 'http://sandbox.invalid/v1';

/**
 * The built-in provider: it needs no network and always gives the same reply. It speaks OpenAI's interfaces like any other
 * entry; only its transport is its own. What a request can make it do is listed at `createSandboxTransport`.
 */
export function createSandboxProvider(): Provider {
  const entry = compatibleProvider.parse({
    id: 'sandbox',
    name: 'Sandbox',
    baseUrl: BASE_URL,
    env: { apiKey: [], baseUrl: [] },
    endpoints: {
      chat: '/chat/completions',
      embedding: '/embeddings',
      image: '/images/generations',
      imageEdit: '/images/edits',
      speech: '/audio/speech',
      transcription: '/audio/transcriptions',
      translation: '/audio/translations',
    },
    embeddings: { takesTokens: true, hasBase64: true },
    images: { delivery: 'base64', countMax: 4, models: { 'image-tokens': { hasStreams: true } } },
    speech: { models: { 'speech-tokens': { hasEvents: true } } },
    transcription: {
      reportsUsage: true,
      models: { 'transcription-tokens': { hasStreams: true } },
    },
    deviations: [],
    members: { unknown: 'passed' },
    ordinaryTiers: ['flex', 'priority'],
    developerRole: 'by-model',
    hasCustomTools: true,
    hasAllowedTools: true,
    // Coding tools offer a web search with every request; a model that never searches may be offered one.
    webSearch: 'always',
    reasoningParam: 'none',
    filePart: 'file',
  });
  return createCompatibleProvider(entry, {
    apiKey: undefined,
    baseUrl: BASE_URL,
    transport: createSandboxTransport(findChatFault),
    hasRegions: false,
  });
}
