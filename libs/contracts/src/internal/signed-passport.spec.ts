import type { Passport } from './passport';
import { readSignedPassport, signPassport } from './signed-passport';

const passport: Passport = {
  version: 1,
  requestId: 'r',
  endpointId: 'chat-completions',
  admittedAtMs: 1000,
  deadlineMs: 2000,
  caller: { organizationId: 'o', apiKeyId: 'k', userId: null, groupId: null, apiKeyLabelSetId: null, groupLabelSetId: null },
  modelRequested: 'v/m',
  stream: false,
  attempts: [
    {
      modelId: 'v/m',
      providerId: 'v',
      upstreamModel: 'm',
      region: null,
      prices: {
        kind: 'chat',
        version: '1',
        tiers: [{ threshold: 0, input: '0.1', output: '0.2', cachedRead: '0', cacheWrite5m: '0', cacheWrite1h: '0' }],
      },
      isByok: false,
      isFree: false,
    },
  ],
  originTitle: null,
  endUserId: null,
  traceId: null,
  extra: {},
  hold: null,
  isStrict: false,
};
const secret = 's'.repeat(32);

describe('a signed passport', () => {
  it('comes back as it was signed', () => {
    expect(readSignedPassport(signPassport(passport, secret), secret, 1500)).toEqual(passport);
  });

  it('is refused when any part of it was changed, when signed by another, and after its deadline', () => {
    const signed = signPassport(passport, secret);
    const other = signPassport({ ...passport, modelRequested: 'v/other' }, secret);
    const forged = `${other.slice(0, other.indexOf('.'))}${signed.slice(signed.indexOf('.'))}`;

    expect(readSignedPassport(forged, secret, 1500)).toBeUndefined();
    expect(readSignedPassport(signed, 'x'.repeat(32), 1500)).toBeUndefined();
    expect(readSignedPassport(signed, secret, 2000)).toBeUndefined();
    expect(readSignedPassport(undefined, secret, 1500)).toBeUndefined();
    expect(readSignedPassport('garbage', secret, 1500)).toBeUndefined();
  });

  it('of a newer edge is read without what is not known here, unless it has to be known', () => {
    const [attempt] = passport.attempts;
    const newer = { ...passport, caller: { ...passport.caller, later: 1 }, attempts: [{ ...attempt, later: {} }], later: [true] };
    const demanding = { ...newer, needs: ['what-comes-later'] };

    expect(readSignedPassport(signPassport(newer as Passport, secret), secret, 1500)).toEqual(passport);
    expect(readSignedPassport(signPassport(demanding as Passport, secret), secret, 1500)).toBeUndefined();
    expect(readSignedPassport(signPassport({ ...passport, needs: [] }, secret), secret, 1500)).toEqual({ ...passport, needs: [] });
  });

  it('is never too large for a header', () => {
    const large: Passport = {
      ...passport,
      extra: Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`f${index}`, 'v'.repeat(64)])),
    };

    expect(() => signPassport(large, secret)).toThrow(/exceeds/);
  });
});
