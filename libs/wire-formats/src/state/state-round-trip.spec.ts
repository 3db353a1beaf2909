import { collectReply, type ChatReply, type ContentBlock } from '@weir/canonical';
import type { ChatDialect } from '@weir/contracts';
import { createSampleEvents } from '@weir/testing';
import fc from 'fast-check';
import { wireFormats } from '../wire-formats';
import { decodeStateTag, encodeStateTag, hasStateTag } from './state-tag';

type Json = Record<string, unknown>;

const HISTORY: Record<ChatDialect, (reply: Json) => Json> = {
  'chat-completions': (reply) => ({
    model: 'm',
    messages: [{ role: 'user', content: 'hi' }, (reply['choices'] as Json[])[0]?.['message']],
  }),
  responses: (reply) => ({ model: 'm', input: [{ role: 'user', content: 'hi' }, ...(reply['output'] as unknown[])] }),
  messages: (reply) => ({
    model: 'm',
    max_tokens: 9,
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: reply['content'] },
    ],
  }),
};

/** What the caller gets as a reply and sends back as history, in our language again. */
function sendBack(dialect: ChatDialect, reply: ChatReply): readonly ContentBlock[] {
  if (reply.usage === null) throw new Error('samples have usage');
  const context = { requestId: 'r', modelId: 'm', asked: { model: 'm', turns: [], stream: false }, body: {}, nowMs: 0 };
  const text = wireFormats[dialect].encodeReply(reply, { usage: reply.usage, costUsd: '0' }, context);
  const request = wireFormats[dialect].decodeRequest(HISTORY[dialect](JSON.parse(text) as Json));
  return request.turns.find((turn) => turn.role === 'assistant')?.content ?? [];
}

function statesOf(content: readonly ContentBlock[]): unknown[] {
  return content.flatMap((block): unknown[] => {
    if (block.type === 'tool-call') return [{ id: block.id, argumentsText: block.argumentsText, state: block.state }];
    if (block.type === 'reasoning' && block.state !== undefined) return [{ text: block.text, state: block.state }];
    return [];
  });
}

describe.each(['chat-completions', 'responses', 'messages'] as const)('%s', (dialect) => {
  it('carries every provider state through the client and back to the block it belongs to', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const reply = collectReply(
          createSampleEvents(seed).map((event) => (event.type === 'tool-call-start' ? { ...event, kind: 'function' as const } : event)),
        );
        const sent = reply.choices[0]?.content.map(withNativeKind(dialect)) ?? [];
        const said = statesOf(sent).length > 0 || sent.some((block) => block.type === 'text' && block.text !== '');
        if (!said) return;
        const back = statesOf(sendBack(dialect, { ...reply, choices: [{ ...reply.choices[0]!, content: sent }] }));
        const inOrder = (states: unknown[]): string[] => states.map((state) => JSON.stringify(plainArguments(state as Json)));
        expect(back.length).toBe(statesOf(sent).length);
        expect(inOrder(back).sort()).toEqual(inOrder(statesOf(sent)).sort());
      }),
      { numRuns: 500 },
    );
  });
});

/** What the dialect issued itself travels bare, so its kind is the dialect's own. */
function withNativeKind(dialect: ChatDialect) {
  return (block: ContentBlock): ContentBlock => {
    if (block.type !== 'reasoning' || block.state?.family !== dialect) return block;
    const textless = dialect === 'messages' ? 'redacted' : 'encrypted';
    const kind = dialect === 'responses' || block.text === '' ? textless : 'signature';
    return { ...block, state: { ...block.state, kind } };
  };
}

/** Messages carry arguments as objects: compared by what they say. */
function plainArguments(state: Json): Json {
  const text = state['argumentsText'];
  if (typeof text !== 'string') return state;
  try {
    return { ...state, argumentsText: JSON.parse(text === '' ? '{}' : text) as unknown };
  } catch {
    return { ...state, argumentsText: { _raw: text } };
  }
}

describe('state tags', () => {
  const native = { family: 'messages', kind: 'signature' } as const;

  it('leave what the dialect issued itself as it is', () => {
    expect(encodeStateTag({ state: { ...native, value: 'abc+/=' } }, 'messages')).toBe('abc+/=');
    expect(decodeStateTag('abc+/=', native)).toEqual({ state: { ...native, value: 'abc+/=' } });
  });

  it('mark what another family issued', () => {
    const state = { family: 'converse', kind: 'redacted', value: 'ü:1' } as const;
    const tag = encodeStateTag({ state, toolCallId: 'call:1' }, 'messages');
    expect(tag).toMatch(/^gw1:converse:redacted:[\w-]+:[\w-]+$/);
    expect(decodeStateTag(tag, native)).toEqual({ state, toolCallId: 'call:1' });
  });

  it('are found in a body before it is sent on as it is', () => {
    const signature = encodeStateTag({ state: { family: 'converse', kind: 'signature', value: 'x' } }, 'messages');
    expect(hasStateTag(JSON.stringify({ content: [{ type: 'thinking', thinking: 't', signature }] }))).toBe(true);
    expect(hasStateTag(JSON.stringify({ content: 'we speak of gw1: here' }))).toBe(false);
  });

  it('cannot be forged into another family’s bare state', () => {
    const state = { ...native, value: 'gw1:converse:signature:YQ' };
    expect(decodeStateTag(encodeStateTag({ state }, 'messages'), native)).toEqual({ state });
  });

  it.each(['gw1:', 'gw1:x', 'gw1:x:y:z', 'gw1::signature:YQ', ''])('drop a damaged tag (%s)', (tag) => {
    expect(decodeStateTag(tag, native)).toBeUndefined();
  });
});
