import { ALLOWED_DIFFERENCES } from './allowed-differences';
import { createNormalizer } from './create-normalizer';

describe('what may differ between two gateways', () => {
  const names = new Map([
    ['01a2', 'organization main'],
    ['01a2-9', 'key four'],
  ]);

  it('generated texts are replaced by what they stand for, the longest first', () => {
    const { normalize } = createNormalizer(names);

    expect(normalize({ subject: 'a', place: 'event', text: 'org_id = "01a2"\napi_key_id = "01a2-9"' }).text).toBe(
      'org_id = "<organization main>"\napi_key_id = "<key four>"',
    );
  });

  it('a name that is given later holds from then on', () => {
    const normalizer = createNormalizer(names);
    const sight = { subject: 'a', place: 'response-body', text: 'chatcmpl-0b1c' } as const;
    expect(normalizer.normalize(sight).text).toBe('chatcmpl-0b1c');

    normalizer.name('0b1c', 'id of a');

    expect(normalizer.normalize(sight).text).toBe('chatcmpl-<id of a>');
  });

  it('a row holds in its places alone', () => {
    const row = { name: 'x', reason: 'y', places: ['log'], pattern: /^durationMs = .*$/gm, becomes: 'durationMs = <duration>' } as const;
    const { normalize } = createNormalizer(new Map(), [row]);

    expect(normalize({ subject: 'a', place: 'log', text: 'durationMs = 7\nstatus = 200' }).text).toBe(
      'durationMs = <duration>\nstatus = 200',
    );
    expect(normalize({ subject: 'a', place: 'event', text: 'durationMs = 7' }).text).toBe('durationMs = 7');
  });

  it('lines without an order are sorted after their names are known', () => {
    const { normalize } = createNormalizer(new Map([['9', 'a']]));

    expect(normalize({ subject: 'a', place: 'rollup', text: 'x\n9', isSet: true }).text).toBe('<a>\nx');
  });

  it.each([
    ['event', 'dur_ms = 12', 'dur_ms = <duration>'],
    ['event', 'ttft_ms = null', 'ttft_ms = null'],
    ['event', 'units.ms_audio = 12', 'units.ms_audio = 12'],
    ['generation', 'generation.attempts[0].milliseconds = 12', 'generation.attempts[0].milliseconds = <duration>'],
    [
      'metric',
      'nodejs_gc_duration_seconds_sum{kind="major"} 1\nnodejs_eventloop_lag 2\nweir_requests_total 3',
      'nodejs_eventloop_lag\nweir_requests_total 3',
    ],
    ['response-head', 'Date: Mon\ncontent-type: x', 'Date: <date>\ncontent-type: x'],
    ['response-body', '{"created":1795423571,"n":1795423571}', '{"created":<moment>,"n":1795423571}'],
    ['response-body', '{"created":1700000000}', '{"created":1700000000}'],
    ['response-body', '{"created":1795423571.5}', '{"created":1795423571.5}'],
  ] as const)('in %s, %s becomes %s', (place, text, wanted) => {
    expect(createNormalizer(new Map()).normalize({ subject: 'a', place, text }).text).toBe(wanted);
  });

  it('every row says why', () => {
    for (const { name, reason, places } of ALLOWED_DIFFERENCES)
      expect([name, reason.length > 8, places.length > 0]).toEqual([name, true, true]);
  });
});
