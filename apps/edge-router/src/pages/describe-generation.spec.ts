import type { UsageEvent, UsageUnits } from '@weir/contracts';
import { describeGeneration } from './describe-generation';

const NOTHING: UsageUnits = {
  ...{ in: 0, out: 0, cached_in: 0, cache_w5m: 0, cache_w1h: 0, reasoning: 0, audio_in: 0, audio_out: 0 },
  ...{ images: 0, chars: 0, ms_audio: 0, searches: 0 },
};

function createEvent(more: Partial<UsageEvent>): UsageEvent {
  const made: Partial<UsageEvent> = { request_id: 'r', admitted_at: 0, status: 'ok', cost_p: '0', billed_p: '0', hold_id: null };
  return { ...made, ...more } as UsageEvent;
}

it('shows images, characters and audio by what they were charged by, under an own key too', () => {
  const units = { ...NOTHING, in: 12, out: 1056, image_in: 10, image_out: 1056, images: 1, chars: 21, ms_audio: 1500 };
  const event = createEvent({ endpoint: 'image-edits', units, is_byok: true, cost_p: '42250000000', logical: true });

  expect(describeGeneration([event])).toMatchObject({
    endpoint: 'image-edits',
    cost: '0.04225',
    billed: '0',
    attempts: [
      {
        own_key: true,
        tokens: {
          ...{ input: 12, output: 1056, image_input: 10, image_output: 1056, images: 1, characters: 21, audio_milliseconds: 1500 },
          searches: 0,
        },
      },
    ],
  });
});

it('adds up all attempts, says what failed ones used for nothing, and names the one that counts', () => {
  const failed = createEvent({
    ...{ model_used: 'a', status: 'upstream_error', error_code: 'provider_overloaded', logical: false, units: NOTHING },
    uncharged: { units: { ...NOTHING, in: 1000 }, cost_p: '3000000000' },
  });
  const answered = createEvent({
    model_used: 'b',
    logical: true,
    units: { ...NOTHING, in: 10 },
    cost_p: '5',
    billed_p: '5',
    doubted: { ...NOTHING, in: 99 },
  });

  expect(describeGeneration([failed, answered])).toMatchObject({
    model: 'b',
    status: 'ok',
    cost: '0.000000000005',
    billed: '0.000000000005',
    attempts: [
      {
        why_left: 'provider_overloaded',
        tokens: { input: 0, image_output: 0 },
        uncharged: { tokens: { input: 1000 }, cost: '0.003' },
        doubted: null,
      },
      { why_left: null, uncharged: null, doubted: { tokens: { input: 99 } } },
    ],
  });
});
