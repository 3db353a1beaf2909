import { makeUsageEvent, NO_UNITS } from '@weir/testing';
import { decodeUsageEvent } from './decode-usage-event';
import { DAY_MS } from './period-key';

const event = makeUsageEvent();
const now = event.admitted_at + 1000;
const decode = (more: object) => decodeUsageEvent(JSON.stringify({ ...event, ...more }), now);

describe('decoding a journalled event', () => {
  test('a whole event counts at its admission, unknown fields and all', () => {
    expect(decode({ later_field: { deep: [1] } })).toMatchObject({ kind: 'event', admittedAtMs: event.admitted_at, isTimeClamped: false });
  });

  test.each([
    ['no JSON', '{"v":1,', 'unreadable'],
    ['a field missing', JSON.stringify({ ...event, cost_p: undefined }), 'unreadable'],
    ['money as a number', JSON.stringify({ ...event, cost_p: 12 }), 'unreadable'],
    ['an id that is no uuid', JSON.stringify({ ...event, org_id: 'acme' }), 'unreadable'],
    ['a version of the future', JSON.stringify({ v: 2, anything: true }), 'unknown_version'],
    ['absurd tokens', JSON.stringify({ ...event, units: { ...NO_UNITS, out: 2 ** 50 } }), 'out_of_bounds'],
    ['absurd money', JSON.stringify({ ...event, cost_p: '9'.repeat(40) }), 'out_of_bounds'],
    ['36 days old', JSON.stringify({ ...event, admitted_at: now - 36 * DAY_MS }), 'too_late'],
  ])('%s becomes a dead letter', (_, payload, reason) => {
    expect(decodeUsageEvent(payload, now)).toEqual({ kind: 'dead-letter', reason });
  });

  test('35 days late still counts in its own hour', () => {
    expect(decode({ admitted_at: now - 35 * DAY_MS })).toMatchObject({ kind: 'event', admittedAtMs: now - 35 * DAY_MS });
  });

  test('an event from the future counts now and says so; five minutes of skew are tolerated', () => {
    expect(decode({ admitted_at: now + 5 * 60_000 })).toMatchObject({ admittedAtMs: now + 5 * 60_000, isTimeClamped: false });
    expect(decode({ admitted_at: now + 5 * 60_000 + 1 })).toMatchObject({ admittedAtMs: now, isTimeClamped: true });
  });

  test('text that Postgres cannot store is mended, not refused', () => {
    const decoded = decode({ origin_title: 'a\u0000b\ud800c', extra: { ['k\u0000']: '\udfff' } });
    expect(decoded).toMatchObject({ kind: 'event', event: { origin_title: 'ab\ufffdc', extra: { k: '\ufffd' } } });
    expect(decoded.kind === 'event' && decoded.payload).not.toMatch(/\\u(0000|d[89a-f])/);
  });

  test('ids are the same whatever their case', () => {
    expect(decode({ org_id: 'AAAAAAAA-1111-4111-8111-111111111111' })).toMatchObject({
      event: { org_id: 'aaaaaaaa-1111-4111-8111-111111111111' },
    });
  });
});
