import { answer, say, type Conversation, type ToolWords, type Turn } from './conversation';

export const PNG = 'iVBORw0KGgo=';
export const PDF = 'JVBERi0xLjQK';
const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false };

const WEATHER: ToolWords = { name: 'get_weather', description: 'The weather in a city.', parameters: CITY };
const TIME: ToolWords = { name: 'get_time', description: 'The time in a city.', parameters: CITY };
const TOOLS = [WEATHER, TIME];

const CALLED: readonly Turn[] = [
  say('Weather and time in Paris?'),
  answer(
    { kind: 'text', text: 'I will look.' },
    { kind: 'call', id: 'call_1', name: 'get_weather', input: { city: 'Paris' } },
    { kind: 'call', id: 'call_2', name: 'get_time', input: { city: 'Paris' } },
  ),
  {
    role: 'tool',
    results: [
      { id: 'call_1', name: 'get_weather', output: 'sunny' },
      { id: 'call_2', name: 'get_time', output: '12:00' },
    ],
  },
];

const SCHEMA = {
  name: 'city',
  schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'], additionalProperties: false },
};

/** What every dialect and every vendor's SDK can say. */
export const CONVERSATIONS: readonly Conversation[] = [
  { name: 'one line', turns: [say('Hi')] },
  { name: 'a stream', turns: [say('Hi')], isStream: true },
  { name: 'instructions', system: 'Be brief.', turns: [say('Hi')] },
  {
    name: 'several turns',
    system: 'Be brief.',
    turns: [say('Hi'), answer({ kind: 'text', text: 'Hello.' }), say('And now?')],
  },
  { name: 'bounds and chances', turns: [say('Hi')], maxTokens: 64, temperature: 0.5, stop: ['END', 'STOP'] },
  { name: 'a nucleus', turns: [say('Hi')], maxTokens: 64, topP: 0.9 },
  { name: 'a seed', turns: [say('Hi')], seed: 7 },
  {
    name: 'an inline image',
    turns: [
      {
        role: 'user',
        parts: [
          { kind: 'text', text: 'What is this?' },
          { kind: 'inline-image', data: PNG },
        ],
      },
    ],
  },
  {
    name: 'an image by address',
    turns: [
      {
        role: 'user',
        parts: [
          { kind: 'text', text: 'What is this?' },
          { kind: 'image', url: 'https://images.test/a.png' },
        ],
      },
    ],
  },
  {
    name: 'a document',
    turns: [
      {
        role: 'user',
        parts: [
          { kind: 'pdf', data: PDF, filename: 'report.pdf' },
          { kind: 'text', text: 'Sum it up.' },
        ],
      },
    ],
  },
  { name: 'a tool on offer', turns: [say('Weather in Paris?')], tools: [WEATHER] },
  { name: 'tools to choose from', turns: [say('Weather in Paris?')], tools: TOOLS, choice: 'auto' },
  { name: 'a tool that must be called', turns: [say('Weather in Paris?')], tools: TOOLS, choice: 'required' },
  { name: 'one certain tool', turns: [say('Weather in Paris?')], tools: TOOLS, choice: { tool: 'get_weather' } },
  { name: 'no tool this time', turns: [say('Weather in Paris?')], tools: TOOLS, choice: 'none' },
  { name: 'one call at a time', turns: [say('Weather in Paris?')], tools: TOOLS, isSerial: true },
  { name: 'two calls and their results', system: 'Be brief.', turns: CALLED, tools: TOOLS },
  { name: 'a question after results', turns: [...CALLED, say('And?')], tools: TOOLS, isStream: true },
  { name: 'results and an answer', turns: [...CALLED, answer({ kind: 'text', text: 'Sunny noon.' }), say('Thanks.')], tools: TOOLS },
  { name: 'an answer held to a schema', turns: [say('Name a city.')], schema: SCHEMA },
  { name: 'little thought', turns: [say('Hi')], effort: 'low', maxTokens: 8000 },
  { name: 'much thought', turns: [say('Hi')], effort: 'high', maxTokens: 32_000 },
  { name: 'thought and tools', turns: CALLED, tools: TOOLS, effort: 'medium', maxTokens: 16_000 },
  { name: 'a search', turns: [say('News?')], search: true },
];
