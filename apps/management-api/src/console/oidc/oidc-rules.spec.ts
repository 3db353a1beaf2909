import { oidcEnv, oidcRoles } from '@weir/config';
import { decideRole } from './decide-role';
import { findPerson } from './find-person';
import { readOidcSettings } from './read-oidc-settings';
import { lacksClaims, readPerson } from './read-person';

describe('roles by groups of the provider', () => {
  const roles = oidcRoles.parse(
    '{"admins":"admin","team":{"role":"member","groups":["Research","Shared"]},"lab":{"role":"member","groups":["Shared",{"name":"Research","role":"admin"}]}}',
  );
  const member = (name: string) => ({ name, role: 'member' });

  it('are the highest of all groups, here and in every group of the organization', () => {
    expect(decideRole(roles, ['team', 'unknown'])).toEqual({ role: 'member', groups: [member('Research'), member('Shared')] });
    const all = { role: 'admin', groups: [member('Shared'), { name: 'Research', role: 'admin' }] };
    expect(decideRole(roles, ['lab', 'admins', 'team'])).toEqual(all);
    expect(decideRole(roles, ['Admins', 'constructor'])).toBeUndefined();
    expect(decideRole(roles, [])).toBeUndefined();
  });

  it.each([
    '',
    'admins',
    '[]',
    '{"a":"owner"}',
    '{"a":{"role":"member","group":["x"]}}',
    '{"a":{"groups":["x"]}}',
    '{"a":{"role":"member","groups":[{"name":"x","role":"owner"}]}}',
    '{"":"admin"}',
  ])('are refused at the start when they are %p', (text) => {
    expect(oidcRoles.safeParse(text).success).toBe(false);
  });
});

describe('the claims of a person', () => {
  const settings = { groupsClaim: 'groups', trustsEmail: false };
  const token = { iss: 'https://issuer.example', sub: '1' };

  it('are those of the token, and of the other place what it lacks', () => {
    const info = { email: 'Ann@Acme.Example', email_verified: true, given_name: 'Ann', groups: ['a'] };
    expect(readPerson(token, info, settings)).toEqual({
      ...{ issuer: token.iss, subject: '1', email: 'ann@acme.example', isEmailVerified: true },
      ...{ firstName: 'Ann', lastName: '', groups: ['a'] },
    });
    // A word about one address is none about another.
    expect(readPerson({ ...token, email: 'eve@acme.example' } as never, info, settings)).toMatchObject({ isEmailVerified: false });
    expect([
      lacksClaims(token, { groupsClaim: 'groups', roles: undefined }),
      lacksClaims(info, { groupsClaim: 'x', roles: new Map() }),
    ]).toEqual([true, true]);
    expect(lacksClaims(info, { groupsClaim: 'groups', roles: new Map() })).toBe(false);
  });

  it.each([
    [true, false, true],
    ['true', false, true],
    [false, true, false],
    [undefined, false, false],
    [undefined, true, true],
    [1, true, false],
  ])('are of a verified address with %p, where addresses are trusted: %p', (email_verified, trustsEmail, isVerified) => {
    const claims = { ...token, email: 'ann@acme.example', email_verified };
    expect(readPerson(claims, {}, { ...settings, trustsEmail }).isEmailVerified).toBe(isVerified);
  });

  it('have nothing in them that cannot be kept', () => {
    const claims = { ...token, email: 'a\0nn@acme.example', given_name: 'A\0nn', family_name: '\ud800', groups: ['a\0', '\udfff', 'b'] };
    expect(readPerson(claims, {}, { groupsClaim: 'groups', trustsEmail: true })).toMatchObject({
      ...{ email: null, isEmailVerified: false, firstName: 'Ann', lastName: '\ufffd', groups: ['b'] },
    });
  });

  it.each(['a\0', '\ud800'])('name no one by a subject that cannot be kept: %j', async (subject) => {
    const person = readPerson({ ...token, sub: subject }, {}, settings);
    await expect(findPerson(undefined as never, person)).rejects.toThrow(/NUL or half of a surrogate pair/);
  });

  it('name groups by a whole name, by a path, or not at all', () => {
    const read = (claims: object, groupsClaim: string) =>
      readPerson({ ...token, ...claims }, {}, { groupsClaim, trustsEmail: false }).groups;
    expect(read({ realm_access: { roles: ['a', 1, 'b'] } }, 'realm_access.roles')).toEqual(['a', 'b']);
    expect(read({ 'https://acme.example/groups': 'one' }, 'https://acme.example/groups')).toEqual(['one']);
    expect([read({}, 'groups'), read({ groups: { a: 1 } }, 'groups'), read({}, '__proto__.constructor')]).toEqual([[], [], []]);
    expect(readPerson({ ...token, email: 'no address' } as never, {}, settings)).toMatchObject({ email: null, isEmailVerified: false });
  });
});

describe('the settings', () => {
  const half = { CONSOLE_OIDC_ISSUER: 'https://issuer.example/realms/acme' };
  const whole = { ...half, CONSOLE_OIDC_CLIENT_ID: 'weir' };

  it('are those of no provider, or of a whole one', () => {
    expect(readOidcSettings(oidcEnv.parse({}))).toBeUndefined();
    expect(() => readOidcSettings(oidcEnv.parse(half))).toThrow('CONSOLE_OIDC_CLIENT_ID');
    expect(() => readOidcSettings(oidcEnv.parse({ CONSOLE_OIDC_CLIENT_ID: 'weir' }))).toThrow('CONSOLE_OIDC_ISSUER');
    expect(() => readOidcSettings(oidcEnv.parse({ SESSION_OIDC_AUDIENCE: 'weir' }))).toThrow('CONSOLE_OIDC_ISSUER');
    expect(oidcEnv.safeParse({ SESSION_OIDC_AUDIENCE: 'weir,' }).success).toBe(false);
    expect(readOidcSettings(oidcEnv.parse({ ...whole, SESSION_OIDC_AUDIENCE: 'weir, api://weir' }))?.sessions).toEqual({
      ...{ audiences: ['weir', 'api://weir'], opaqueTokens: 'introspection' },
    });
    expect(readOidcSettings(oidcEnv.parse(whole))).toMatchObject({
      name: 'single sign-on',
      scopes: 'openid email profile',
      groupsClaim: 'groups',
    });
  });

  it('name an issuer that no one on the way can be, and trust no addresses of strangers', () => {
    for (const url of ['http://issuer.example', 'issuer.example', 'http://localhost.evil.example'])
      expect(oidcEnv.safeParse({ ...whole, CONSOLE_OIDC_ISSUER: url }).success).toBe(false);
    expect(oidcEnv.safeParse({ ...whole, CONSOLE_OIDC_ISSUER: 'http://localhost:8080/realms/acme' }).success).toBe(true);
    const shared = { ...whole, CONSOLE_OIDC_ISSUER: 'https://login.example/common/v2.0', CONSOLE_OIDC_TRUST_EMAIL: 'true' };
    expect(() => readOidcSettings(oidcEnv.parse(shared))).toThrow('one tenant');
    expect(oidcEnv.safeParse({ ...whole, CONSOLE_OIDC_SCOPES: 'email' }).success).toBe(false);
  });
});
