import { createLossReport, type ChatRequest, type LossReport } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import type { ChatCodec, Provider, ProviderTarget } from '@weir/providers';
import { GatewayError } from '@weir/errors';
import type { ChatSession } from '../session/chat-session';
import { encodeTranslated } from './encode-translated';

const ASKED: ChatRequest = { model: 'm', stream: false, turns: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] };

type Asking = {
  readonly dialect?: ChatDialect;
  readonly asked?: Partial<ChatRequest>;
  readonly speaks?: ChatDialect;
  readonly drops?: string;
};

/** Encodes for a provider that loses a stop sequence and approximates a limit of thinking, unless `refusal` is thrown instead. */
function encode({ dialect = 'messages', asked = {}, speaks, drops = 'stop' }: Asking, refusal?: GatewayError): LossReport {
  const codec = {
    encodeRequest: (_request: unknown, _target: unknown, losses: LossReport) => {
      if (refusal !== undefined) throw refusal;
      losses.dropped.add(drops);
      losses.approximated.add('reasoning_effort');
      return { path: '/', body: '' };
    },
  } as unknown as ChatCodec;
  const provider = { express: speaks === undefined ? null : { dialect: speaks } } as unknown as Provider;
  const session = { dialect, body: { json: {}, text: '' } } as unknown as ChatSession;
  const losses = createLossReport();
  encodeTranslated(session, { ...ASKED, ...asked }, { provider, codec, target: {} as ProviderTarget, losses });
  return losses;
}

it.each<[ChatDialect, string, string]>([
  ['messages', 'stop_sequences', 'thinking'],
  ['responses', 'stop', 'reasoning.effort'],
  ['chat-completions', 'stop', 'reasoning_effort'],
])('names losses by the field names of the caller’s dialect %s', (dialect, dropped, approximated) => {
  const losses = encode({ dialect });
  expect([[...losses.dropped], [...losses.approximated]]).toEqual([[dropped], [approximated]]);
});

it('names the field of a refusal as the caller does', () => {
  const refusal = new GatewayError('unsupported_field', 'no', { field: 'messages' });

  expect(() => encode({ dialect: 'responses' }, refusal)).toThrow(expect.objectContaining({ details: { field: 'input' }, message: 'no' }));
  expect(() => encode({ dialect: 'responses' }, new GatewayError('internal', 'x'))).toThrow(expect.objectContaining({ details: {} }));
});

it('refuses servers of tools where no one can reach them', () => {
  const asked = { unmapped: { mcp_servers: [{ type: 'url', url: 'https://a.example' }] } };

  expect(() => encode({ asked })).toThrow(expect.objectContaining({ code: 'unsupported_field', details: { field: 'mcp_servers' } }));
  expect(() => encode({ asked, speaks: 'messages' })).not.toThrow();
  expect(() => encode({ asked: { unmapped: { mcp_servers: [] } } })).not.toThrow();
});

it('refuses a conversation that only its own provider can read where it would be left out', () => {
  const asked = (type: string) => ({
    turns: [{ role: 'assistant' as const, content: [{ type: 'opaque' as const, family: 'responses', raw: { type } }] }],
  });
  const drops = 'messages.opaque';

  expect(() => encode({ dialect: 'responses', asked: asked('compaction'), drops })).toThrow(
    expect.objectContaining({ code: 'unsupported_field', details: { field: 'input' } }),
  );
  expect(() => encode({ dialect: 'responses', asked: asked('file_search_call'), drops })).not.toThrow();
  // Some providers speak another dialect with some models than in their express lane.
  for (const speaks of ['responses', 'chat-completions', 'messages'] as const) {
    expect(() => encode({ asked: asked('compaction'), speaks })).not.toThrow();
  }
});
