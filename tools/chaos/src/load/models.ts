export type Endpoint = 'chat-completions' | 'responses' | 'messages' | 'embeddings';

/** A model that the simulated provider serves. Rates are written down here by hand: the oracle must not ask the gateway's own price list. */
type ModelRow = {
  readonly id: string;
  readonly inputPico: bigint;
  readonly outputPico: bigint;
  /** The dialect its provider speaks; callers in any other are translated. */
  readonly native: Endpoint;
  readonly cancel: 'abort' | 'drain';
};

export const MODELS = {
  chat: { id: 'openai/gpt-4o-mini', inputPico: 150_000n, outputPico: 600_000n, native: 'chat-completions', cancel: 'abort' },
  responses: { id: 'openai-responses/gpt-4.1-mini', inputPico: 400_000n, outputPico: 1_600_000n, native: 'responses', cancel: 'abort' },
  messages: { id: 'anthropic/claude-haiku-4-5', inputPico: 1_000_000n, outputPico: 5_000_000n, native: 'messages', cancel: 'abort' },
  drained: { id: 'groq/meta/llama-3.1-8b-instant', inputPico: 50_000n, outputPico: 80_000n, native: 'chat-completions', cancel: 'drain' },
  embedding: { id: 'openai/text-embedding-3-small', inputPico: 20_000n, outputPico: 0n, native: 'embeddings', cancel: 'abort' },
} as const satisfies Record<string, ModelRow>;

export const CHAT_MODELS: readonly ModelRow[] = [MODELS.chat, MODELS.responses, MODELS.messages];
export const CHAT_ENDPOINTS: readonly Endpoint[] = ['chat-completions', 'responses', 'messages'];

const BY_ID = new Map<string, ModelRow>(Object.values(MODELS).map((row) => [row.id, row]));

export function findModel(id: string): ModelRow {
  const row = BY_ID.get(id);
  if (row === undefined) throw new Error(`no rates are written down for ${id}`);
  return row;
}

export const PATHS: Readonly<Record<Endpoint, string>> = {
  'chat-completions': '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
  embeddings: '/v1/embeddings',
};
