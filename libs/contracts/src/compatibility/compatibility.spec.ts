import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { readTerms } from '../internal/passport-terms';
import { readShortPassport } from '../internal/short-passport';
import { readSignedPassport, signPassport } from '../internal/signed-passport';
import type { Passport } from '../internal/passport';
import { NEWEST_PASSPORT } from './__fixtures__/newest-passport';

/** Passports as earlier versions wrote them, and what those versions could read. Never changed: a new version adds a row. */
const VERSIONS = ['2026-11'] as const;
const SECRET = 's'.repeat(32);

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
  const passport = readFixture(`passport.${version}.json`);

  it('signed passports that are obeyed today', () => {
    const signed = signPassport(passport as Passport, SECRET);

    expect(readSignedPassport(signed, SECRET, Number(passport['admittedAtMs']) + 1)).toEqual(passport);
  });

  it('sent short passports that are obeyed today', () => {
    const { header, terms, path } = readFixture(`short-passport.${version}.json`) as Record<'header' | 'terms' | 'path', string>;
    const short = readShortPassport(header, path, SECRET);
    const known = readTerms(terms, short?.termsDigest ?? '');

    expect(known && short?.complete(known)).toEqual(passport);
    expect(short).toMatchObject({ connection: 'connection', number: 1, bodyDigest: 'of the body', takenByMs: 1_795_000_120_000 });
  });

  it('reads the passports that are written today, field for field that it knows', () => {
    expect(canRead(`passport.${version}.schema.json`, JSON.parse(JSON.stringify(NEWEST_PASSPORT)))).toBe('');
  });
});
