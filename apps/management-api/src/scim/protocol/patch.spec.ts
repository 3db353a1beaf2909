import { applyPatch } from './apply-patch';
import { GROUP_KIND } from './group-kind';
import { readResource } from './read-resource';
import { selectAttributes, wantsAttribute } from './select-attributes';
import { USER_KIND } from './user-kind';

const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const ADA = {
  ...{ userName: 'ada', active: true, name: { givenName: 'Ada', familyName: 'King' } },
  emails: [
    { value: 'ada@example.com', type: 'work', primary: true },
    { value: 'ada@home.example', type: 'home', primary: false },
  ],
  [ENTERPRISE]: { department: 'Engines' },
};

const patch = (...operations: readonly object[]) => applyPatch(USER_KIND, ADA, { Operations: operations });
const scimType = (word: string): Error =>
  expect.objectContaining({ details: expect.objectContaining({ scimType: word }) as object }) as Error;

describe('a patch of a user', () => {
  it('takes operations as Entra ID sends them: capitalised, truth as text, paths with a filter for what is not there', async () => {
    const patched = await patch(
      { op: 'Replace', path: 'active', value: 'False' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'lovelace@example.com' },
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: '7' },
      { op: 'Replace', path: 'name.familyName', value: 'Lovelace' },
      { op: 'Remove', path: 'title' },
      { op: 'Add', path: 'roles[primary eq "True"].value', value: 'admin' },
    );
    expect(patched).toEqual({
      ...{ ...ADA, active: false, name: { givenName: 'Ada', familyName: 'Lovelace' } },
      emails: [{ value: 'lovelace@example.com', type: 'work', primary: true }, ADA.emails[1]],
      phoneNumbers: [{ type: 'mobile', value: '+1 555' }],
      roles: [{ primary: true, value: 'admin' }],
      [ENTERPRISE]: { department: 'Engines', manager: { value: '7' } },
    });
  });

  it('takes an object in place of a path, with names or paths in it, and leaves what is not to be changed', async () => {
    const value = {
      id: '5',
      displayName: 'Ada L.',
      'name.givenName': 'Augusta',
      'emails[type eq "home"].value': 'a@b.example',
      shoeSize: 42,
    };
    const patched = await patch({ op: 'replace', value: { ...value, [ENTERPRISE]: { costCenter: '9' } } });
    expect(patched).toEqual({
      ...{ ...ADA, displayName: 'Ada L.', name: { givenName: 'Augusta', familyName: 'King' } },
      emails: [ADA.emails[0], { value: 'a@b.example', type: 'home', primary: false }],
      [ENTERPRISE]: { department: 'Engines', costCenter: '9' },
    });
  });

  it('adds to lists what is not there, replaces them whole, and has one primary', async () => {
    const other = { value: 'x@y.example', type: 'other', primary: true };
    expect((await patch({ op: 'add', path: 'emails', value: [other] }))['emails']).toEqual([
      { ...ADA.emails[0], primary: false },
      ADA.emails[1],
      other,
    ]);
    expect((await patch({ op: 'add', path: 'emails', value: [{ value: 'ADA@example.com' }] }))['emails']).toHaveLength(2);
    expect((await patch({ op: 'replace', path: 'emails', value: other }))['emails']).toEqual([other]);
    expect((await patch({ op: 'replace', path: 'emails[type eq "home"].primary', value: true }))['emails']).toEqual([
      { ...ADA.emails[0], primary: false },
      { ...ADA.emails[1], primary: true },
    ]);
  });

  it('removes an attribute, a part, elements and an extension', async () => {
    expect(await patch({ op: 'remove', path: 'name' })).not.toHaveProperty('name');
    expect((await patch({ op: 'remove', path: 'name.givenName' }))['name']).toEqual({ familyName: 'King' });
    expect((await patch({ op: 'remove', path: 'emails[type eq "home"]' }))['emails']).toEqual([ADA.emails[0]]);
    expect((await patch({ op: 'remove', path: 'emails[type eq "fax"]' }))['emails']).toEqual(ADA.emails);
    expect(await patch({ op: 'remove', path: ENTERPRISE })).not.toHaveProperty([ENTERPRISE]);
    expect(await patch({ op: 'replace', path: 'name', value: null })).not.toHaveProperty('name');
  });

  it('changes nothing of what it was given', async () => {
    const before = JSON.stringify(ADA);
    await patch({ op: 'replace', path: `${ENTERPRISE}:department`, value: 'x' }, { op: 'remove', path: 'emails' });
    expect(JSON.stringify(ADA)).toBe(before);
  });

  it.each([
    [{ op: 'move', path: 'title' }, 'invalidSyntax'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'add', value: 'x' }, 'invalidValue'],
    [{ op: 'add', path: 'shoeSize', value: 42 }, 'invalidPath'],
    [{ op: 'add', path: 'name.shoeSize', value: 42 }, 'invalidPath'],
    [{ op: 'add', path: 'emails[', value: 'x' }, 'invalidPath'],
    [{ op: 'add', path: 'emails[shoeSize eq 1].value', value: 'x' }, 'invalidFilter'],
    [{ op: 'replace', path: 'emails[type co "x"].value', value: 'x' }, 'noTarget'],
    [{ op: 'add', path: 'groups', value: [{ value: 'x' }] }, 'mutability'],
    [{ op: 'add', path: 'id', value: 'x' }, 'mutability'],
    [{ op: 'replace', path: 'active', value: 'perhaps' }, 'invalidValue'],
    [{ op: 'replace', path: 'title', value: 'x'.repeat(1_025) }, 'invalidValue'],
    [{ op: 'replace', path: 5 }, 'invalidPath'],
    ['x', 'invalidSyntax'],
  ])('is refused for %j: %s', async (operation, word) => {
    await expect(applyPatch(USER_KIND, ADA, { Operations: [operation] })).rejects.toEqual(scimType(word));
  });
});

describe('a patch of a group', () => {
  const group = { displayName: 'g', members: [{ value: 'a' }, { value: 'b' }, { value: 'c' }] };
  const members = async (...operations: readonly object[]) =>
    (await applyPatch(GROUP_KIND, group, { operations }))['members'] as { value: string }[] | undefined;
  const ids = async (...operations: readonly object[]) => (await members(...operations))?.map(({ value }) => value);

  it('adds and takes out members, by path and as directories do it without', async () => {
    expect(await ids({ op: 'Add', path: 'members', value: [{ value: 'd' }, { value: 'a', display: 'A' }] })).toEqual(['b', 'c', 'd', 'a']);
    expect(await ids({ op: 'remove', path: 'members[value eq "b"]' })).toEqual(['a', 'c']);
    expect(await ids({ op: 'Remove', path: 'members', value: [{ value: 'a' }, { value: 'x' }] })).toEqual(['b', 'c']);
    expect(await ids({ op: 'remove', path: 'members' })).toBeUndefined();
    expect(await ids({ op: 'replace', value: { id: 'x', members: [{ value: 'z' }] } })).toEqual(['z']);
    expect(await ids({ op: 'remove', path: 'members[value eq "a" or value eq "c"]' })).toEqual(['b']);
  });

  it('is refused where its operations would look at too much, one by one or together', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => ({ value: `m${index}` }));
    const all = { op: 'add', path: 'members', value: many };
    const terms = Array.from({ length: 20 }, (_, index) => `value eq "${index}"`).join(' or ');
    await expect(members(all, { op: 'remove', path: `members[${terms}]` })).rejects.toEqual(scimType('tooMany'));
    await expect(members(all, ...Array.from({ length: 900 }, () => ({ op: 'remove', path: 'members[value eq "x"]' })))).rejects.toEqual(
      scimType('tooMany'),
    );
    expect(await members(all, { op: 'replace', path: 'members[type eq "x"].value', value: 'y' })).toHaveLength(5_004);
  });

  it('distinguishes thousands of elements with one value by what they are for', async () => {
    const of = (type: string) => Array.from({ length: 5_000 }, () => ({ value: 'a', type }));
    expect(
      await members({ op: 'add', path: 'members', value: of('one') }, { op: 'remove', path: 'members', value: of('other') }),
    ).toHaveLength(5_002);
  });

  it('takes thousands of members', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({ value: `m${index}` }));
    expect(
      await members({ op: 'add', path: 'members', value: many }, { op: 'remove', path: 'members', value: many.slice(5) }),
    ).toHaveLength(8);
  });
});

describe('a resource', () => {
  it('is read under the names of its schema, without what is not in it', () => {
    const body = {
      ...{ SCHEMAS: [USER_KIND.schema.id.toUpperCase()], USERNAME: 'ada', id: '7', meta: {}, groups: [{ value: 'x' }], password: 'secret' },
      ...{ Name: { GIVENNAME: 'Ada', familyName: null, shoe: 1 }, emails: [{ Value: 'a', primary: 'true' }, null, {}], title: '' },
      [ENTERPRISE.toLowerCase()]: { Department: 'Engines', manager: { value: '7' } },
    };
    expect(readResource(USER_KIND, body)).toEqual({
      ...{ userName: 'ada', name: { givenName: 'Ada' }, emails: [{ value: 'a', primary: true }] },
      [ENTERPRISE]: { department: 'Engines', manager: { value: '7' } },
    });
  });

  it('is returned as far as it was asked for', () => {
    const document = { schemas: ['s'], id: '1', ...ADA };
    const select = (attributes: string, excluded = '') =>
      selectAttributes(USER_KIND, document, {
        attributes: attributes.split(',').filter(Boolean),
        excluded: excluded.split(',').filter(Boolean),
      });
    expect(select('USERNAME,name.familyName')).toEqual({ schemas: ['s'], id: '1', userName: 'ada', name: { familyName: 'King' } });
    expect(select(`${ENTERPRISE}:department,emails.value`)).toEqual({
      ...{ schemas: ['s'], id: '1', emails: ADA.emails.map(({ value }) => ({ value })) },
      [ENTERPRISE]: { department: 'Engines' },
    });
    expect(Object.keys(select('', `id,emails,name.givenName,${ENTERPRISE}`))).toEqual(['schemas', 'id', 'userName', 'active', 'name']);
    expect(select(`${USER_KIND.schema.id}:userName`)).toEqual({ schemas: ['s'], id: '1', userName: 'ada' });
    expect(wantsAttribute(GROUP_KIND, 'members', { attributes: ['members.value'], excluded: [] })).toBe(true);
    expect(wantsAttribute(GROUP_KIND, 'members', { attributes: [], excluded: ['Members'] })).toBe(false);
  });
});
