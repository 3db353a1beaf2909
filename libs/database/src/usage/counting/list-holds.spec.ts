import { makeUsageEvent } from '@weir/testing';
import { decodeBatch } from './decode-batch';
import { listHolds } from './list-holds';

const event = makeUsageEvent();
const held = { ...event, hold_id: 'h', hold_scopes: ['s', 't'] };
const WRITER = '00000000-0000-4000-8000-000000000001';
const listUpTo = (watermark: bigint, payloads: readonly string[]) =>
  listHolds(
    decodeBatch(
      payloads.map((payload, at) => ({ writerId: WRITER, epoch: 0, sequence: BigInt(at), payload })),
      event.ended_at,
    ),
    new Map([[WRITER, watermark]]),
  );
const list = (...payloads: string[]) => listUpTo(100n, payloads);

describe('holds of a batch', () => {
  it('are listed for events with holds only, with whether the hold is left to another attempt', () => {
    expect(list(JSON.stringify(event), JSON.stringify(held), JSON.stringify({ ...held, hold_id: 'i', logical: false }))).toEqual([
      { organizationId: event.org_id, holdId: 'h', scopes: ['s', 't'], isLast: true },
      { organizationId: event.org_id, holdId: 'i', scopes: ['s', 't'], isLast: false },
    ]);
  });

  it('are not given back while something before them is not counted: an earlier attempt of the same request may be missing', () => {
    const payloads = [JSON.stringify(held), JSON.stringify({ ...held, hold_id: 'i' })];
    expect(listUpTo(0n, payloads).map(({ holdId, isLast }) => [holdId, isLast])).toEqual([
      ['h', true],
      ['i', false],
    ]);
  });

  it('are listed for events that cannot be counted as well, where those name their hold', () => {
    const late = { ...held, admitted_at: 0 };
    const later = { v: 2, org_id: 'o', hold_id: 'j', hold_scopes: ['s', 7], logical: true };
    expect(list(JSON.stringify(late), JSON.stringify(later))).toMatchObject([
      { holdId: 'h' },
      { organizationId: 'o', holdId: 'j', scopes: ['s'] },
    ]);
    expect(list('{"hold_id":"cut', 'null', '[]', '{"org_id":"o","hold_id":7,"hold_scopes":[]}', '{"org_id":"o","hold_id":"k"}')).toEqual(
      [],
    );
  });
});
