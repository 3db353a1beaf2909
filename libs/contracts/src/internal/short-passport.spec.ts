import { hash } from 'node:crypto';
import { NEWEST_PASSPORT } from '../compatibility/__fixtures__/newest-passport';
import type { Passport } from './passport';
import { readTerms, writeTerms } from './passport-terms';
import { readShortPassport, signShortPassport } from './short-passport';
import { signPassport } from './signed-passport';

const secret = 's'.repeat(32);
const path = '/v1/chat/completions';
const { binding: _, ...newest } = NEWEST_PASSPORT;

const encode = (text: string): string => Buffer.from(text).toString('base64url');
function write(passport: Passport, more: { path?: string; secret?: string; termsDigest?: string } = {}) {
  const { text, digest } = writeTerms(passport);
  const facts = { connection: 'c', number: 7, bodyDigest: 'b', takenByMs: 5000, path, termsDigest: digest, ...more };
  return { header: signShortPassport(passport, facts, more.secret ?? secret), terms: encode(text), digest };
}
function read({ header, terms, digest }: ReturnType<typeof write>): Passport | undefined {
  const known = readTerms(terms, digest);
  return known && readShortPassport(header, path, secret)?.complete(known);
}

describe('a short passport and its terms', () => {
  const plain: Passport = { ...newest, hold: null, extra: {}, originTitle: null, guardrails: undefined };
  delete plain.guardrails;
  delete plain.freePlaceByMs;

  test.each([
    ['with every member', newest],
    ['with what most have', plain],
    ['with a hold of another id', { ...newest, hold: { ...NEWEST_PASSPORT.hold, id: 'other' } as Passport['hold'] }],
    ['with text of any language', { ...newest, originTitle: 'größe 東京 \u007f \u2028 🙂 "x"', endUserId: 'é\n' }],
  ])('make the passport again that was signed: %s', (_name, passport) => {
    const written = write(passport);

    expect(read(written)).toEqual(passport);
    expect(written.header).toMatch(/^2\.[\x20-\x7e]+$/);
  });

  it('says where it is worth something, and what for', () => {
    const { header, digest } = write(newest);

    expect(readShortPassport(header, path, secret)).toMatchObject({
      ...{ connection: 'c', number: 7, termsDigest: digest, bodyDigest: 'b', takenByMs: 5000 },
    });
  });

  it('is refused when it was changed, signed by another, or came to another path, and where it is none', () => {
    const { header } = write(newest);
    const forged = write({ ...newest, requestId: 'other' }).header.slice(0, -43) + header.slice(-43);
    const others = write({ ...newest, caller: { ...newest.caller, organizationId: 'other' } });

    expect(readShortPassport(forged, path, secret)).toBeUndefined();
    expect(readShortPassport(header.replace(write(newest).digest, others.digest), path, secret)).toBeUndefined();
    expect(readShortPassport(header, `${path}?x=1`, secret)).toBeUndefined();
    expect(readShortPassport(header, path, 'x'.repeat(32))).toBeUndefined();
    for (const none of ['', '2.', '2..', `2.[].${'x'.repeat(43)}`, signPassport(newest, secret)]) {
      expect(readShortPassport(none, path, secret)).toBeUndefined();
    }
  });

  it('has terms that are the same for the next request, whatever else it says, and others for another caller or price', () => {
    const next: Passport = {
      ...newest,
      requestId: 'next',
      admittedAtMs: 1,
      deadlineMs: 2,
      endUserId: 'u',
      traceId: 't',
      extra: { a: 'b' },
    };
    const [attempt] = newest.attempts;
    const different: Passport[] = [
      { ...newest, caller: { ...newest.caller, organizationId: 'other' } },
      { ...newest, attempts: [{ ...attempt, isByok: true } as Passport['attempts'][number]] },
      { ...newest, hold: { ...NEWEST_PASSPORT.hold, scopes: ['other'] } as Passport['hold'] },
      { ...newest, stream: !newest.stream },
    ];

    expect(writeTerms({ ...next, freePlaceByMs: 1, binding: { takenByMs: 1 } })).toEqual(writeTerms(newest));
    expect(new Set([newest, ...different].map((one) => writeTerms(one).digest)).size).toBe(5);
  });

  it('has terms that are written anew when any of them is another, of the same attempts too', () => {
    const { attempts } = newest;
    const callers = ['a', 'b', 'a'].map((apiKeyId) => ({ ...newest, attempts, caller: { ...newest.caller, apiKeyId } }));
    const strict = { ...newest, isStrict: !newest.isStrict };
    const digests = [newest, ...callers, strict, newest].map((one) => writeTerms(one).digest);

    expect(digests[1]).toBe(digests[3]);
    expect(digests[0]).toBe(digests[5]);
    expect(new Set(digests).size).toBe(4);
  });

  it('has terms that are refused under another digest, and when they need what is not known here', () => {
    const { terms, digest } = write(newest);
    const demanding = write({ ...newest, needs: ['what-comes-later'] });

    expect(readTerms(terms, write(plain).digest)).toBeUndefined();
    expect(readTerms(demanding.terms, demanding.digest)).toBeUndefined();
    const later = JSON.stringify({ ...JSON.parse(Buffer.from(terms, 'base64url').toString()), later: [true] });
    expect(readTerms(encode(later), hash('sha256', later, 'base64url'))).toEqual(readTerms(terms, digest));
    expect(() => Object.assign(readTerms(terms, digest)?.usual.attempts[0]?.prices ?? {}, { version: 'x' })).toThrow(TypeError);
  });
});
