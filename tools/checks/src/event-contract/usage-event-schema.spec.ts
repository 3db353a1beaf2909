import { createUsageEventSchema } from '@weir/api-description';
import { makeUsageEvent } from '@weir/testing';
import Ajv2020 from 'ajv/dist/2020';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../repository/read-repository';
import { findIncompatible } from './find-incompatible';

type Schema = Readonly<Record<string, unknown>>;

const FILE = join(REPOSITORY, 'docs', 'schemas', 'usage-event.v1.json');

describe('the schema of usage events', () => {
  const made = createUsageEventSchema();
  const validate = new Ajv2020({ strict: false, allErrors: true }).compile(made);

  it('is in the repository as it is served, and only ever gains fields: UPDATE_DOCS=1 writes it', () => {
    const committed = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Schema) : made;
    expect(findIncompatible(committed, made)).toEqual([]);
    if (process.env['UPDATE_DOCS'] === '1') {
      writeFileSync(FILE, JSON.stringify(made));
      execFileSync(process.execPath, [join(REPOSITORY, 'node_modules', 'prettier', 'bin', 'prettier.cjs'), '--write', FILE]);
    }
    expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(made);
  });

  it('has a description of every field', () => {
    const { usageEvent } = made['$defs'] as { usageEvent: { properties: Readonly<Record<string, Schema>> } };
    expect(Object.keys(usageEvent.properties).length).toBeGreaterThan(40);
    for (const [name, { description }] of Object.entries(usageEvent.properties))
      expect([name, description]).toEqual([name, expect.any(String)]);
  });

  it('takes an event, one with fields of a later time, and a lost one', () => {
    expect(validate(makeUsageEvent())).toBe(true);
    expect(validate({ ...makeUsageEvent(), later: { unit: 1 } })).toBe(true);
    expect(validate({ v: 1, lost: true, writer_id: 'w', seq: 7, reason: 'unreadable' })).toBe(true);
  });

  it.each([
    ['a number for money', { cost_p: 12 }],
    ['money with a point', { cost_p: '1.2' }],
    ['another version', { v: 2 }],
    ['a count below zero', { dur_ms: -1 }],
    ['an unknown status', { status: 'fine' }],
  ])('refuses %s', (_what, change) => {
    expect(validate({ ...makeUsageEvent(), ...change })).toBe(false);
  });
});

describe('what a reader would stumble over', () => {
  const before = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'object', properties: { c: { type: 'integer' } }, required: ['c'] } },
    required: ['a'],
  };

  it.each<[string, Schema, string[]]>([
    ['nothing', before, []],
    ['a new field', { ...before, properties: { ...before.properties, d: {} } }, []],
    ['a new field that is always there', { ...before, properties: { ...before.properties, d: {} }, required: ['a', 'd'] }, []],
    ['other words', { ...before, properties: { ...before.properties, a: { type: 'string', description: 'x' } } }, []],
    ['a field that went', { ...before, properties: { a: before.properties.a } }, ['/b is gone']],
    ['a field that may be absent', { ...before, required: [] }, ['/a may be absent now']],
    [
      'a field that may be null',
      { ...before, properties: { ...before.properties, a: { type: ['string', 'null'] } } },
      ['/a can be something else than before'],
    ],
    [
      'a field within another',
      { ...before, properties: { ...before.properties, b: { type: 'object', properties: { c: { type: 'number' } }, required: [] } } },
      ['/b/c may be absent now', '/b/c can be something else than before'],
    ],
  ])('is named: %s', (_what, after, found) => {
    expect(findIncompatible(before, after)).toEqual(found);
  });
});
