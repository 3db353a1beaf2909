import { createBuiltInCatalog } from '@weir/model-catalog';
import { makeAttempt, type ReplyScript } from '@weir/testing';
import { openReplayHarness, type ReplayHarness } from './replay-harness';

const catalog = createBuiltInCatalog();
const COMMON = { id: 'a', created: 1, model: 'm', object: 'chat.completion' };
const USAGE = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };

function scriptReply(isStream: boolean, content: string, ended: object): ReplyScript {
  const end = { finish_reason: 'stop', ...ended };
  if (!isStream) {
    const choices = [{ index: 0, message: { role: 'assistant', content }, ...end }];
    return { status: 200, body: JSON.stringify({ ...COMMON, choices, usage: USAGE }) };
  }
  const chunks = [
    ...[...content].map((text) => ({ choices: [{ index: 0, delta: { content: text }, finish_reason: null }] })),
    { choices: [{ index: 0, delta: {}, ...end }] },
    { choices: [], usage: USAGE },
  ];
  return { status: 200, stream: [...chunks.map((chunk) => `data: ${JSON.stringify({ ...COMMON, ...chunk })}\n\n`), 'data: [DONE]\n\n'] };
}

describe('messages from a provider of chat completions', () => {
  let harness: ReplayHarness;
  beforeAll(async () => {
    harness = await openReplayHarness(catalog);
  });
  afterAll(() => harness.close());

  it.each<[string, string, object, string | null]>([
    ['that reports the sequence as vLLM does', 'one two ', { stop_reason: 'END' }, 'END'],
    ['that reports the sequence as SGLang does', 'one two ', { matched_stop: 'STOP' }, 'STOP'],
    ['that leaves the sequence in the text', 'one two END', {}, 'END'],
    ['that reports the token of the end', 'one two ', { stop_reason: 128_009, matched_stop: 2 }, null],
    ['that reports nothing', 'one two ', {}, null],
  ])('%s', async (_what, content, ended, sequence) => {
    const record = catalog.find('openai/gpt-4o-mini');
    if (record === undefined) throw new Error('the model is not in the catalogue');
    for (const isStream of [false, true]) {
      const messages = [{ role: 'user', content: 'Say two words.' }];
      const body = { model: record.id, stream: isStream, max_tokens: 16, stop_sequences: ['END', 'STOP'], messages };
      const ask = { dialect: 'messages', attempt: makeAttempt(record, catalog), isStream, body } as const;
      const { received, events } = await harness.replay(ask, scriptReply(isStream, content, ended));
      const reported = [...received.body.matchAll(/"stop_reason":("[^"]*"),"stop_sequence":("[^"]*"|null)/g)].map(
        ([, ...members]) => members,
      );
      expect(reported).toEqual([[sequence === null ? '"end_turn"' : '"stop_sequence"', JSON.stringify(sequence)]]);
      const text = [...received.body.matchAll(/"text":"([^"]*)"/g)].map(([, piece]) => piece).join('');
      expect(text).toBe('one two ');
      expect(events[0]).toMatchObject({ units: { in: 9, out: 4 }, unit_source: 'provider' });
    }
  });
});
