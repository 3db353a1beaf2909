import { usageCorrection } from '@weir/contracts';
import { makeUsageEvent, NO_UNITS } from '@weir/testing';
import { decodeUsageEvent } from '../decode-usage-event';
import { foldBatch } from '../fold-batch';
import { correctEvent } from './correct-event';

const RERATE = { rerateId: 'the-rerate', toPriceVersion: 'v2', because: 'a misprint', atMs: 9 };
const EVENT = makeUsageEvent({
  ...{ cost_p: '100', billed_p: '100', extra: { team: 'a' }, status: 'upstream_error', error_code: 'timeout', why: 'policy/x' },
  ...{ hold_id: 'h', hold_scopes: ['balance'], doubted: NO_UNITS, uncharged: { units: NO_UNITS, cost_p: '9' } },
});

it('has the dimensions, time and limits of its event, no quantities, and an id that is the same whenever it is made', () => {
  const correction = correctEvent({ event: EVENT, corrections: [] }, 30n, RERATE);

  expect(usageCorrection.parse(JSON.parse(JSON.stringify(correction)))).toEqual(correction);
  expect(correction).toMatchObject({
    ...{ event_id: `${EVENT.event_id}:the-rerate`, cost_p: '-70', billed_p: '-70', price_version: 'v2', units: NO_UNITS, hold_id: null },
    corrects: { event_id: EVENT.event_id, rerate_id: 'the-rerate', number: 1, at: 9, because: 'a misprint' },
  });
  for (const gone of ['doubted', 'uncharged', 'error_code', 'why']) expect(correction).not.toHaveProperty(gone);
  const second = correctEvent({ event: EVENT, corrections: [correction] }, 130n, { ...RERATE, rerateId: 'another' });
  expect(second).toMatchObject({ cost_p: '100', corrects: { number: 2, event_id: EVENT.event_id } });
});

it('adds money to the series of its event and nothing else', () => {
  const admittedAtMs = EVENT.admitted_at;
  const correction = correctEvent({ event: EVENT, corrections: [] }, 30n, RERATE);
  const [alone, both] = [[EVENT], [EVENT, correction]].map((events) => foldBatch(events.map((event) => ({ event, admittedAtMs }))));

  expect(both?.hours).toHaveLength(1);
  expect(both?.hours[0]?.measures).toEqual({ ...alone?.hours[0]?.measures, costPico: 30n, billedPico: 30n });
  expect(both?.spend.map(({ costPico, requests }) => [costPico, requests])).toEqual(alone?.spend.map(({ requests }) => [30n, requests]));
});

it('is read where events are kept, and nowhere else: no journal has one', () => {
  const payload = JSON.stringify(correctEvent({ event: EVENT, corrections: [] }, 30n, RERATE));
  const at = EVENT.admitted_at;

  expect(decodeUsageEvent(payload, at)).toEqual({ kind: 'dead-letter', reason: 'unreadable' });
  expect(decodeUsageEvent(payload, at, { isCounted: true })).toMatchObject({ kind: 'event', event: { cost_p: '-70' } });
  expect(decodeUsageEvent(JSON.stringify({ ...EVENT, cost_p: '-1' }), at, { isCounted: true })).toMatchObject({ reason: 'unreadable' });
});
