import { createMessagesProvider } from './anthropic';
import { openAzureProvider } from './azure';
import { openConverseProvider, openMantleProvider } from './bedrock';
import { createCohereProvider } from './cohere';
import { createDeepgramProvider } from './deepgram';
import { createElevenlabsProvider } from './elevenlabs';
import { createGoogleProvider } from './google';
import { createMinimaxProvider } from './minimax';
import type { NativeProvider } from '../settings/native-provider';
import { createResponsesProvider } from './openai-responses';
import { openVertexProvider } from './vertex';

/** The address book of native providers: one line for each, and a folder behind it. */
export const NATIVE_PROVIDERS: readonly NativeProvider[] = [
  {
    id: 'anthropic',
    name: 'Anthropic',
    folder: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    addsVersion: true,
    env: { apiKey: ['ANTHROPIC_API_KEY'], baseUrl: ['ANTHROPIC_BASE_URL'] },
    create: (access) => createMessagesProvider('anthropic', access, { needsState: access.hasRegions }),
  },
  {
    id: 'minimax',
    name: 'MiniMax',
    folder: 'minimax',
    baseUrl: 'https://api.minimax.io/anthropic/v1',
    addsVersion: true,
    env: { apiKey: ['MINIMAX_API_KEY'], baseUrl: ['MINIMAX_BASE_URL'] },
    create: createMinimaxProvider,
  },
  {
    id: 'cohere',
    name: 'Cohere',
    folder: 'cohere',
    baseUrl: 'https://api.cohere.com/v2',
    addsVersion: true,
    env: { apiKey: ['COHERE_API_KEY', 'CO_API_KEY'], baseUrl: ['COHERE_BASE_URL', 'CO_API_URL'] },
    create: createCohereProvider,
  },
  {
    id: 'google',
    name: 'Google',
    folder: 'google',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    addsVersion: true,
    env: {
      apiKey: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
      baseUrl: ['GEMINI_BASE_URL', 'GOOGLE_GEMINI_BASE_URL'],
    },
    create: createGoogleProvider,
  },
  {
    id: 'elevenlabs',
    name: 'ElevenLabs',
    folder: 'elevenlabs',
    baseUrl: 'https://api.elevenlabs.io/v1',
    addsVersion: true,
    env: { apiKey: ['ELEVENLABS_API_KEY', 'XI_API_KEY'], baseUrl: ['ELEVENLABS_BASE_URL'] },
    create: createElevenlabsProvider,
  },
  {
    id: 'deepgram',
    name: 'Deepgram',
    folder: 'deepgram',
    baseUrl: 'https://api.deepgram.com/v1',
    addsVersion: true,
    env: { apiKey: ['DEEPGRAM_API_KEY'], baseUrl: ['DEEPGRAM_BASE_URL'] },
    create: createDeepgramProvider,
  },
  {
    id: 'openai-responses',
    name: 'OpenAI Responses',
    folder: 'openai-responses',
    baseUrl: 'https://api.openai.com/v1',
    sharesAccountOf: 'openai',
    env: { apiKey: ['OPENAI_API_KEY'], baseUrl: ['OPENAI_BASE_URL'] },
    create: createResponsesProvider,
  },
  { id: 'bedrock', name: 'Amazon Bedrock', folder: 'bedrock', open: openConverseProvider },
  { id: 'bedrock-mantle', name: 'Amazon Bedrock (Mantle)', folder: 'bedrock', open: openMantleProvider },
  { id: 'azure', name: 'Azure OpenAI', folder: 'azure', open: (env, transport) => openAzureProvider('azure', env, transport) },
  { id: 'azure-ai', name: 'Azure AI Foundry', folder: 'azure', open: (env, transport) => openAzureProvider('azure-ai', env, transport) },
  { id: 'vertex', name: 'Google Vertex AI', folder: 'vertex', open: openVertexProvider },
];
