import { isCorrection, MEASURE_COLUMNS, type CountedEvent } from '@weir/usage';
import { spellInstantJson } from '../connection/literals';
import { MEASURE_NAMES, SERIES_COLUMNS } from './columns';

/** An event as a row of `usage_event`. What has more than 53 bits is a text. */
export function encodeEvent(counted: CountedEvent, run: number): Record<string, unknown> {
  const { writerId, sequence, event, admittedAtMs, series, measures, payload } = counted;
  const row: Record<string, unknown> = {
    org_id: event.org_id,
    admitted_at: spellInstantJson(admittedAtMs),
    writer_id: writerId,
    seq: String(sequence),
    event_id: event.event_id,
    request_id: event.request_id,
    status: event.status,
    price_version: event.price_version,
    corrects: isCorrection(event) ? event.corrects.event_id : null,
    payload,
    run,
  };
  for (const [name, { of }] of Object.entries(SERIES_COLUMNS)) row[name] = of(series);
  for (const name of MEASURE_NAMES) {
    const value = measures[MEASURE_COLUMNS[name]];
    row[name] = typeof value === 'bigint' ? String(value) : value;
  }
  return row;
}
