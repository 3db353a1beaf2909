import { collectReply, NO_USAGE, type ChatEvent, type FinishReason } from '@weir/canonical';
import { checkStreamGrammar } from '@weir/testing';
import type { ReplyContext } from '../dialect/wire-format';
import { messagesFormat } from './index';

type Heard = { readonly text: string; readonly stop_reason: string; readonly stop_sequence: string | null };
const AT = { choice: 0, block: 0 };
const PRICED = { usage: NO_USAGE, costUsd: '0' };

function contextOf(stop: readonly string[]): ReplyContext {
  return { requestId: 'r', modelId: 'm', asked: { model: 'm', turns: [], stream: true, stop }, body: {}, nowMs: 1_790_000_000_000 };
}

function eventsOf(pieces: readonly string[], finish: Partial<FinishReason>): ChatEvent[] {
  return [
    { type: 'start', id: 'a', model: 'm', createdAtSeconds: 1 },
    { type: 'text-start', ...AT },
    ...pieces.map((text): ChatEvent => ({ type: 'text-delta', ...AT, text })),
    { type: 'text-end', ...AT },
    { type: 'finish', choice: 0, finish: { unified: 'stop', upstream: 'stop', ...finish } },
    { type: 'usage', usage: NO_USAGE },
    { type: 'end' },
  ];
}

function hearStream(events: readonly ChatEvent[], stop: readonly string[]): Heard & { readonly sse: string } {
  const encoder = messagesFormat.createStreamEncoder(contextOf(stop));
  const sse = events.map((event) => encoder.encode(event, event.type === 'usage' ? PRICED : undefined)).join('');
  const data = [...sse.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? '') as { delta?: Record<string, string | null> });
  const last = data.find(({ delta }) => delta?.['stop_reason'] !== undefined)?.delta;
  const text = data.map(({ delta }) => delta?.['text'] ?? '').join('');
  return { text, stop_reason: String(last?.['stop_reason']), stop_sequence: last?.['stop_sequence'] ?? null, sse };
}

function hearWhole(events: readonly ChatEvent[], stop: readonly string[]): Heard {
  const reply = JSON.parse(messagesFormat.encodeReply(collectReply(events), PRICED, contextOf(stop))) as Heard & {
    content: { text: string }[];
  };
  const { stop_reason, stop_sequence } = reply;
  return { text: reply.content.map(({ text }) => text).join(''), stop_reason, stop_sequence };
}

describe('the stop sequence that ended a message', () => {
  it.each<[string, string, readonly string[], Partial<FinishReason>, string, string | null]>([
    ['is the one that the provider left at the end', 'one END', ['END', 'STOP'], {}, 'one ', 'END'],
    ['is the longest of those that end the text', 'one END', ['D', 'END'], {}, 'one ', 'END'],
    ['is found where it is the whole text', 'END', ['END'], {}, '', 'END'],
    ['is found behind the beginning of a longer one', 'axEN', ['xEN!', 'EN'], {}, 'ax', 'EN'],
    ['is the one that the provider reports', 'one ', ['END', 'STOP'], { stopSequence: 'STOP' }, 'one ', 'STOP'],
    [
      'is found among several where the provider reports that one hit',
      'one END',
      ['END', 'X'],
      { unified: 'stop-sequence' },
      'one ',
      'END',
    ],
    ['is the only one where the provider reports that one hit', 'one ', ['END'], { unified: 'stop-sequence' }, 'one ', 'END'],
    ['is unknown where nothing shows it', 'one ', ['END'], {}, 'one ', null],
    ['is unknown after a beginning of one', 'one EN', ['END'], {}, 'one EN', null],
    ['is unknown where the reported word was not asked for', 'one ', ['END'], { stopSequence: '<|eot|>' }, 'one ', null],
    ['is unknown where the provider does not obey them', 'END two END', ['END'], {}, 'END two END', null],
    ['is unknown where the text was cut by its limit', 'one END', ['END'], { unified: 'length' }, 'one END', null],
    ['is unknown where none was asked for', 'one END', [], {}, 'one END', null],
  ])('%s: %s', (_what, text, stops, finish, expected, sequence) => {
    const reason = finish.unified === 'length' ? 'max_tokens' : sequence === null ? 'end_turn' : 'stop_sequence';
    const heard = { text: expected, stop_reason: reason, stop_sequence: sequence };
    expect(hearWhole(eventsOf([text], finish), stops)).toEqual(heard);
    for (const pieces of [[text], [...text], [text.slice(0, -2), text.slice(-2)]]) {
      const { sse, ...streamed } = hearStream(eventsOf(pieces, finish), stops);
      expect(streamed).toEqual(heard);
      expect(checkStreamGrammar('messages', sse)).toEqual([]);
    }
  });

  it('does not hold back text that cannot belong to one', () => {
    const encoder = messagesFormat.createStreamEncoder(contextOf(['END']));
    const sent = eventsOf(['one two', ' E', 'vent'], {}).map((event) => encoder.encode(event, PRICED));
    expect(sent.slice(2, 5).map((text) => /text_delta","text":"(.*?)"/.exec(text)?.[1])).toEqual(['one two', ' ', 'Event']);
  });

  it('lets out what waits before the next block begins', () => {
    const calls: ChatEvent[] = [
      { type: 'tool-call-start', choice: 0, block: 1, id: 'c', name: 'f', kind: 'function' },
      { type: 'tool-call-end', choice: 0, block: 1 },
    ];
    const events = eventsOf(['one EN'], { unified: 'tool-calls' });
    const { text, sse, stop_reason } = hearStream([...events.slice(0, 4), ...calls, ...events.slice(4)], ['END']);
    expect([text, stop_reason, checkStreamGrammar('messages', sse)]).toEqual(['one EN', 'tool_use', []]);
  });
});
