import { decodeUsageRecord, encodeUsageRecord } from './usage-record';

const EVENT = { writerId: 'writer-1', epoch: 3, sequence: 41n, payload: '{"v":1,"event_id":"req:1","rest":true}' };

function asReceived(headers: Record<string, string>, key: string | null = 'writer-1'): Parameters<typeof decodeUsageRecord>[0] {
  const buffers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Buffer.from(value)]));
  return { key: key === null ? null : Buffer.from(key), value: Buffer.from(EVENT.payload), headers: buffers };
}

describe('a usage record', () => {
  it('is keyed by writer and carries version, event id, sequence and epoch in headers', () => {
    const record = encodeUsageRecord(EVENT);
    expect(record.key).toBe('writer-1');
    expect(record.value).toBe(EVENT.payload);
    expect(record.headers).toEqual({ v: '1', event_id: 'req:1', seq: '41', epoch: '3' });
  });

  it('has no event id header when the payload names none', () => {
    expect(encodeUsageRecord({ ...EVENT, payload: 'garbage' }).headers).toEqual({ v: '1', seq: '41', epoch: '3' });
  });

  it('is an event of CloudEvents where that is asked for, whose source and id are writer and sequence', () => {
    const payload = '{"v":1,"event_id":"req:1","ended_at":1764115200123,"extra":{"note":"\\"ended_at\\":5,"}}';
    const record = encodeUsageRecord({ ...EVENT, payload }, 'cloudevents');
    expect(record.value).toBe(payload);
    expect(record.headers).toEqual({
      ...{ v: '1', event_id: 'req:1', seq: '41', epoch: '3' },
      ...{ ce_specversion: '1.0', ce_id: '41', ce_source: '/weir/writers/writer-1', ce_type: 'weir.usage.v1' },
      ...{ ce_dataschema: '/schemas/usage-event', ce_time: '2025-11-26T00:00:00.123Z', 'content-type': 'application/json' },
    });
    expect(encodeUsageRecord(EVENT, 'cloudevents').headers).not.toHaveProperty('ce_time');
  });

  it('reads back what was written', () => {
    expect(decodeUsageRecord(asReceived({ seq: '41', epoch: '3' }))).toEqual(EVENT);
  });

  it.each([
    ['no sequence', asReceived({ epoch: '3' })],
    ['no epoch', asReceived({ seq: '41' })],
    ['a sequence that is no whole number', asReceived({ seq: '4.1', epoch: '3' })],
    ['no key', asReceived({ seq: '41', epoch: '3' }, null)],
  ])('is not an event with %s', (_what, message) => {
    expect(decodeUsageRecord(message)).toBeUndefined();
  });
});
