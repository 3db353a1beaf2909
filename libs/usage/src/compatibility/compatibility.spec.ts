import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { decodeUsageEvent } from '../index';
import { NEWEST_EVENT } from './__fixtures__/newest-event';

/** Usage events as earlier versions wrote them, and what those versions could read. Never changed: a new version adds a row. */
const VERSIONS = ['2026-11'] as const;

function readFixture(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(__dirname, '__fixtures__', name), 'utf8')) as Record<string, unknown>;
}

function canRead(schema: string, value: unknown): string {
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  const validate = ajv.compile(readFixture(schema));
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}

describe.each(VERSIONS)('version %s', (version) => {
  it('wrote usage events that are counted today as they were meant', () => {
    const event = readFixture(`usage-event.${version}.json`);
    const admittedAtMs = Number(event['admitted_at']);
    const decoded = decodeUsageEvent(JSON.stringify(event), admittedAtMs + 1000);

    expect(decoded).toMatchObject({ kind: 'event', event, admittedAtMs });
  });

  it('reads the usage events that are written today, field for field that it knows', () => {
    expect(canRead(`usage-event.${version}.schema.json`, JSON.parse(JSON.stringify(NEWEST_EVENT)))).toBe('');
  });
});

describe('the version after this one', () => {
  it('may add fields and units to usage events, which are counted without them', () => {
    const later = { ...NEWEST_EVENT, later: { deep: [1] }, units: { ...NEWEST_EVENT.units, later: 7 } };
    const decoded = decodeUsageEvent(JSON.stringify(later), NEWEST_EVENT.admitted_at + 1000);

    expect(decoded).toMatchObject({ kind: 'event', event: NEWEST_EVENT, payload: JSON.stringify(later) });
  });

  it('may write another major version, which is set aside and not lost', () => {
    expect(decodeUsageEvent(JSON.stringify({ v: 2, later: true }), Date.now())).toEqual({ kind: 'dead-letter', reason: 'unknown_version' });
  });
});
