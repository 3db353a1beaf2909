import { GROUP_KIND } from './group-kind';
import { matchesFilter } from './match-filter';
import { narrowFilter } from './narrow-filter';
import { parseFilter } from './parse-filter';
import { USER_KIND } from './user-kind';

const ADA = {
  ...{ id: '4B1F', userName: 'Ada@Example.com', externalId: 'Abc', active: true, title: 'Analyst' },
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  emails: [
    { value: 'ada@example.com', type: 'work', primary: true },
    { value: 'ada@home.example', type: 'home' },
  ],
  meta: { lastModified: '2026-11-24T10:00:00.000Z' },
  'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'Engines', manager: { value: '7' } },
};

const holds = (filter: string): boolean => matchesFilter(parseFilter(USER_KIND, filter), ADA);

describe('a filter', () => {
  it.each([
    'userName eq "ada@example.com"',
    'USERNAME Eq "ADA@EXAMPLE.COM"',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "ada"',
    'externalId eq "Abc"',
    'name.familyName co "love"',
    'name.familyName ew "LACE" and title pr',
    'emails eq "ada@home.example"',
    'emails.value co "home"',
    'emails[type eq "work" and value co "example.com"]',
    'emails[type eq "home"] and not (emails[type eq "other"])',
    'emails[primary eq "True"]',
    'active eq true',
    'active eq "True"',
    'nickName eq null',
    'title ne "Manager"',
    'nickName ne "x"',
    'userName eq "x" or userName eq "y" or title eq "analyst"',
    'title eq "x" and userName eq "y" or active eq True',
    'meta.lastModified gt "2026-11-24T09:59:59Z"',
    'meta.lastModified le "2026-11-24T11:00:00+01:00"',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "engines"',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager eq "7"',
    'title eq "Anal\\u0079st"',
  ])('%s holds', (filter) => {
    expect(holds(filter)).toBe(true);
  });

  it.each([
    'externalId eq "abc"',
    'emails[type eq "home" and value co "example.com"]',
    'active eq false',
    'title eq null',
    'emails ne "ada@home.example"',
    'nickName pr',
    'title gt "b"',
    'meta.lastModified gt "no time"',
    'userName eq "a" and (title pr or active pr)',
  ])('%s does not', (filter) => {
    expect(holds(filter)).toBe(false);
  });

  it.each([
    '',
    'userName',
    'userName eq',
    'userName is "x"',
    'userName eq ada',
    'shoeSize eq "42"',
    'userName eq "x" and',
    'userName eq "x")',
    '(userName eq "x"',
    'emails[shoeSize eq "x"]',
    'emails[type eq "work"',
    'userName eq "x" "y"',
    'userName eq "not closed',
    `${'('.repeat(50)}userName pr${')'.repeat(50)}`,
    Array.from({ length: 200 }, () => 'title pr').join(' and '),
    `userName eq "${'x'.repeat(5_000)}"`,
  ])('is refused as %.40s', (filter) => {
    expect(() => parseFilter(USER_KIND, filter)).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ scimType: 'invalidFilter' }) as object }) as Error,
    );
  });

  it('says what must be so for it to hold, and nothing that only may', () => {
    const narrow = (filter: string) => narrowFilter(parseFilter(USER_KIND, filter)).map(({ name, value }) => `${name}=${value}`);
    expect(narrow('userName eq "A" and active eq true and emails[value eq "b" and type pr]')).toEqual(['userName=A', 'emails.value=b']);
    expect(narrow('userName eq "a" or externalId eq "b"')).toEqual([]);
    expect(narrow('not (userName eq "a")')).toEqual([]);
    expect(narrow('userName co "a"')).toEqual([]);
    expect(narrowFilter(parseFilter(GROUP_KIND, 'id eq "g" and members eq "u"'))).toEqual([
      { name: 'id', value: 'g' },
      { name: 'members', value: 'u' },
    ]);
  });
});
