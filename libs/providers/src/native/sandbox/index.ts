import type { Provider } from '../../provider';
import { compatibleProvider } from '../../openai-compatible/compatible-provider.schema';
import { createCompatibleProvider } from '../../openai-compatible/create-compatible-provider';
import { createSandboxTransport } from './create-sandbox-transport';

const BASE_URL = 'http://sandbox.invalid/v1';

/**
 * The built-in provider: it needs no network and always gives the same reply. It speaks OpenAI's interfaces like any other
 * entry; only its transport is its own.
 *
 * It echoes the last message of the user, one token for each run of characters between spaces. Directives in that
 * message, at its beginning or after a space, make it do what real providers do:
 *
 *     !tokens N      answer with exactly N tokens          !status CODE   answer with that status
 *     !delay MS      wait before the first byte            !cut N         break the connection after N frames
 *     !gap MS        wait between frames                   !hang          never answer
 *     !no-usage      report no usage                       !tool NAME {…} call the tool; several make parallel calls
 *
 * A chat body with a field that cannot be read or is out of its range is refused with 400, as providers do.
 *
 * Embeddings are vectors made from a hash of each input; directives stand in the first text. Pictures show their prompt
 * and recordings are as long as their text takes to be read; directives stand in there. Transcriptions say what such a
 * recording was made of, and invent words for any other; directives stand in `prompt`.
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
    developerRole: 'by-model',
    hasCustomTools: true,
    hasAllowedTools: true,
    // Coding tools offer a web search with every request; a model that never searches may be offered one.
    webSearch: 'always',
    reasoningParam: 'none',
    filePart: 'file',
  });
  return createCompatibleProvider(entry, { apiKey: undefined, baseUrl: BASE_URL, transport: createSandboxTransport(), hasRegions: false });
}
