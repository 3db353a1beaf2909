import type { ChatDialect, PassportGuardrail, UsageEvent } from '@weir/contracts';
import type { ScannerParts } from '@weir/exchange';
import { createBuiltInCatalog } from '@weir/model-catalog';
import { createProviderDirectory } from '@weir/providers';
import { createMemoryMetering, makeAttempt, makePassport, serveWorker } from '@weir/testing';
import { composeChatTranslator } from '../../compose';
import { createEcho } from './echo-transport';

type GuardedAsk = {
  readonly endpointId: string;
  readonly provider: string;
  readonly body: Record<string, unknown>;
  readonly guardrails: readonly PassportGuardrail[];
};

export type Guarded = { readonly status: number; readonly headers: Headers; readonly text: string; readonly events: readonly UsageEvent[] };

/** The chat worker with providers that repeat the user's text, and with the given scanners. */
export async function openGuardHarness(scanners: ScannerParts) {
  const echo = createEcho();
  const catalog = createBuiltInCatalog();
  const providers = createProviderDirectory({ env: (name) => (name.endsWith('_API_KEY') ? 'key' : undefined), transport: echo.transport });
  const { metering, events } = createMemoryMetering();
  const times = { headersTimeoutMs: 5_000, idleTimeoutMs: 5_000, heartbeatMs: 60_000, now: Date.now };
  const { handle } = composeChatTranslator({ ...metering, ...times, catalog, providers, scanners });
  const worker = await serveWorker('chat-translator', handle);

  const ask = async ({ endpointId, provider, body, guardrails }: GuardedAsk): Promise<Guarded> => {
    const record = catalog.list(endpointId === 'embeddings' ? 'embedding' : 'chat').find((each) => each.provider === provider);
    if (record === undefined) throw new Error(`the catalogue has no model of ${provider}`);
    events.length = 0;
    echo.received.length = 0;
    const passport = makePassport({
      requestId: 'req_guard',
      endpointId,
      stream: body['stream'] === true,
      attempts: [makeAttempt(record, catalog)],
      ...(guardrails.length === 0 ? {} : { guardrails: [...guardrails], needs: ['guardrails'] }),
    });
    const reply = await worker.ask(passport, { model: record.id, ...body });
    return { status: reply.status, headers: reply.headers, text: await reply.text(), events: [...events] };
  };
  return { ask, received: echo.received, wasReadWhole: echo.wasReadWhole, close: worker.close };
}

/** A request with one user turn in a dialect. */
export function encodeQuestion(dialect: ChatDialect, text: string, stream: boolean): Record<string, unknown> {
  if (dialect === 'responses') return { input: text, stream };
  return { messages: [{ role: 'user', content: text }], stream, ...(dialect === 'messages' ? { max_tokens: 100 } : {}) };
}

/** What a client reads from a response in a dialect: its text, or the arguments of its tool call. */
export function readAnswer(dialect: ChatDialect, text: string): string {
  if (!/^(?:data|event):/m.test(text)) return readWhole(dialect, JSON.parse(text) as never);
  const events = text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)) as StreamEvent);
  return events.map((event) => PIECES[dialect](event) ?? '').join('');
}

type StreamEvent = {
  type?: string;
  delta?: string | { text?: string; partial_json?: string };
  choices?: { delta?: { content?: string | null; tool_calls?: { function?: { arguments?: string } }[] } }[];
};

const PIECES: Readonly<Record<ChatDialect, (event: StreamEvent) => string | null | undefined>> = {
  responses: ({ type, delta }) => (type?.endsWith('.delta') === true && typeof delta === 'string' ? delta : ''),
  messages: ({ delta }) => (typeof delta === 'object' ? (delta.text ?? delta.partial_json) : ''),
  'chat-completions': ({ choices }) => {
    const reported = choices?.[0]?.delta;
    return reported?.content ?? reported?.tool_calls?.[0]?.function?.arguments;
  },
};

function readWhole(
  dialect: ChatDialect,
  reply: {
    choices: { message: { content: string | null; tool_calls?: { function: { arguments: string } }[] } }[];
    content: { text?: string; input?: unknown }[];
    output: { arguments?: string; content?: { text: string }[] }[];
  },
): string {
  if (dialect === 'messages') return reply.content.map(({ text, input }) => text ?? JSON.stringify(input)).join('');
  if (dialect === 'responses')
    return reply.output.map((item) => item.arguments ?? item.content?.map(({ text }) => text).join('') ?? '').join('');
  const message = reply.choices[0]?.message;
  return message?.tool_calls?.[0]?.function.arguments ?? message?.content ?? '';
}
