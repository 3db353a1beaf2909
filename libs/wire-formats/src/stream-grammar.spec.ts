import { collectReply, type ChatEvent } from '@weir/canonical';
import { GatewayError } from '@weir/errors';
import type { ChatDialect } from '@weir/contracts';
import { checkStreamGrammar, createSampleEvents } from '@weir/testing';
import fc from 'fast-check';
import type { PricedUsage, ReplyContext } from './dialect/wire-format';
import { wireFormats } from './wire-formats';

const DIALECTS: readonly ChatDialect[] = ['chat-completions', 'responses', 'messages'];
const COST = '0.001234500000';

function contextOf(body: Record<string, unknown> = {}): ReplyContext {
  return {
    requestId: 'req_01-ab',
    modelId: 'vendor/model-1',
    asked: { model: 'm', turns: [], stream: true },
    body,
    nowMs: 1_790_000_000_500,
  };
}

function priceOf(event: ChatEvent): PricedUsage | undefined {
  return event.type === 'usage' ? { usage: event.usage, costUsd: COST } : undefined;
}

function stream(dialect: ChatDialect, events: readonly ChatEvent[], body: Record<string, unknown> = {}): string {
  const encoder = wireFormats[dialect].createStreamEncoder(contextOf(body));
  return events.map((event) => encoder.encode(event, priceOf(event))).join('');
}

describe.each(DIALECTS)('the %s stream encoder', (dialect) => {
  const runs = { numRuns: 200 };

  it('keeps the grammar for any reply, interleaved or not', () => {
    fc.assert(
      fc.property(fc.integer(), fc.boolean(), fc.boolean(), (seed, interleaves, includeUsage) => {
        const text = stream(dialect, createSampleEvents(seed, { interleaves }), { stream_options: { include_usage: includeUsage } });
        expect(checkStreamGrammar(dialect, text)).toEqual([]);
      }),
      runs,
    );
  });

  it('keeps the grammar when it fails at any point, and says nothing after that', () => {
    fc.assert(
      fc.property(fc.integer(), fc.nat(), (seed, cut) => {
        const events = createSampleEvents(seed);
        const encoder = wireFormats[dialect].createStreamEncoder(contextOf());
        const kept = events.slice(0, 1 + (cut % (events.length - 2)));
        const said = kept.map((event) => encoder.encode(event, priceOf(event))).join('');
        const failure = encoder.fail(new GatewayError('provider_stream_cut', 'The provider stopped in the middle.'));
        const problems = checkStreamGrammar(dialect, said + failure).filter((problem) => !problem.includes('while an item is open'));
        expect(problems).toEqual([]);
        expect(events.map((event) => encoder.encode(event, priceOf(event))).join('')).toBe('');
        expect(encoder.fail(new GatewayError('internal', 'again'))).toBe('');
      }),
      runs,
    );
  });

  it('prints the cost digit for digit and matches the whole reply', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const events = createSampleEvents(seed);
        const usage = collectReply(events).usage;
        if (usage === null) throw new Error('samples have usage');
        const whole = wireFormats[dialect].encodeReply(collectReply(events), { usage, costUsd: COST }, contextOf());
        const streamed = stream(dialect, events, { stream_options: { include_usage: true } });
        expect(whole).toContain(`"cost":${COST}}`);
        expect(streamed).toContain(`"cost":${COST}}`);
        JSON.parse(whole);
      }),
      runs,
    );
  });

  it('turns a failure the provider reports into the dialect’s own in-band error', () => {
    const events: ChatEvent[] = [
      ...createSampleEvents(3).slice(0, 1),
      { type: 'error', code: 'overloaded', message: 'too busy', status: 529 },
      { type: 'end' },
    ];
    const text = stream(dialect, events);
    expect(checkStreamGrammar(dialect, text)).toEqual([]);
    expect(text).toContain('too busy');
  });

  it('has a heartbeat that parsers skip', () => {
    const encoder = wireFormats[dialect].createStreamEncoder(contextOf());
    const events = createSampleEvents(11);
    const text = events.map((event) => encoder.encode(event, priceOf(event)) + (event.type === 'end' ? '' : encoder.heartbeat)).join('');
    expect(checkStreamGrammar(dialect, text)).toEqual([]);
  });
});

it('chat streams keep the grammar for several choices', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 2, max: 4 }), (seed, choices) => {
      expect(checkStreamGrammar('chat-completions', stream('chat-completions', createSampleEvents(seed, { choices })))).toEqual([]);
    }),
  );
});

it('the last event of a responses stream repeats the reply as it is without a stream', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const events = createSampleEvents(seed, { interleaves: false });
      const reply = collectReply(events);
      if (reply.usage === null) throw new Error('samples have usage');
      const whole = JSON.parse(wireFormats.responses.encodeReply(reply, { usage: reply.usage, costUsd: COST }, contextOf())) as unknown;
      const last = stream('responses', events).trimEnd().split('\ndata: ').at(-1) ?? '';
      expect((JSON.parse(last) as { response: unknown }).response).toEqual(whole);
    }),
  );
});

describe('the grammar checker', () => {
  const good = (dialect: ChatDialect): string => stream(dialect, createSampleEvents(5), { stream_options: { include_usage: true } });

  it.each(DIALECTS)('finds what is cut off, doubled or out of order in a %s stream', (dialect) => {
    const frames = good(dialect).split('\n\n').slice(0, -1);
    const join = (kept: readonly string[]): string => `${kept.join('\n\n')}\n\n`;
    expect(checkStreamGrammar(dialect, join(frames))).toEqual([]);
    expect(checkStreamGrammar(dialect, join(frames.slice(0, -1)))).not.toEqual([]);
    expect(checkStreamGrammar(dialect, join([...frames, frames[frames.length - 1] ?? '']))).not.toEqual([]);
    expect(checkStreamGrammar(dialect, join([...frames.slice(1), frames[0] ?? '']))).not.toEqual([]);
    expect(checkStreamGrammar(dialect, join(frames).replace('data: {', 'data: {{'))).not.toEqual([]);
  });

  it('misses the event line of the named dialects', () => {
    expect(checkStreamGrammar('messages', good('messages').replace('event: message_start\n', ''))).not.toEqual([]);
    expect(checkStreamGrammar('responses', good('responses').replace('event: response.created\n', ''))).not.toEqual([]);
  });
});
