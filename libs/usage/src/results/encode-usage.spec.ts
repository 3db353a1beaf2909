import { encodeUsage, type UsageRow } from './encode-usage';

const DAY_SECONDS = 86_400;

/** Columns of `sums`: start, requests, input, output, cached, cache write, reasoning, pico-dollars. */
const row = (sums: readonly string[], { groups = '[]', modality = 'chat' }: Partial<UsageRow> = {}): UsageRow => ({
  ...{ groups, modality },
  sums: sums.join(','),
});

describe('encodeUsage', () => {
  it('counts cached tokens and cache writes as input', () => {
    const usage = encodeUsage([row(['0 3 1000 200 30 4 50 1500000000000'])], []);
    expect(usage).toEqual({
      '1970-01-01T00:00:00Z': {
        ...{ completions_requests: 3, embedding_requests: 0, image_requests: 0, speech_requests: 0, transcription_requests: 0 },
        ...{ total_requests: 3, spend: '1.5', input_tokens: 1034, output_tokens: 200, total_tokens: 1234 },
        ...{ cached_tokens: 30, reasoning_tokens: 50 },
      },
    });
  });

  it('adds money up beyond what a number holds, and counts up to the largest number', () => {
    const large = String(Number.MAX_SAFE_INTEGER);
    const usage = encodeUsage([row([`0 1 ${large} 0 0 0 0 123456789012345678901234567891`]), row(['0 1 0 0 0 0 0 -1'])], []);
    expect(usage['1970-01-01T00:00:00Z']).toMatchObject({
      spend: '123456789012345678.90123456789',
      input_tokens: Number(large),
      total_requests: 2,
    });
  });

  it('reads counts below zero, as a correction may leave them', () => {
    expect(encodeUsage([row(['0 -2 -10 5 0 0 0 -5'])], [])['1970-01-01T00:00:00Z']).toMatchObject({
      ...{ total_requests: -2, input_tokens: -10, total_tokens: -5, spend: '-0.000000000005' },
    });
  });

  it('lists periods by time and groups by spend, each group with all of its modalities', () => {
    const [a, b] = ['["a"]', '["b"]'];
    const usage = encodeUsage(
      [
        row([`${DAY_SECONDS} 1 1 0 0 0 0 1`, '0 1 1 0 0 0 0 1'], { groups: a }),
        row(['0 1 2 0 0 0 0 3'], { groups: b }),
        row(['0 1 4 0 0 0 0 3'], { groups: a, modality: 'embedding' }),
      ],
      ['model_used'],
    );
    expect(Object.keys(usage)).toEqual(['1970-01-01T00:00:00Z', '1970-01-02T00:00:00Z']);
    const groups = usage['1970-01-01T00:00:00Z']?.grouped_data?.map(({ group_by_values, input_tokens, spend, embedding_requests }) => [
      ...[group_by_values, input_tokens, spend, embedding_requests],
    ]);
    expect(groups).toEqual([
      [{ model_used: 'a' }, 5, '0.000000000004', 1],
      [{ model_used: 'b' }, 2, '0.000000000003', 0],
    ]);
  });
});
