import { EMPTY_ACCESS_LIST, fillAccessList, findAccessListErrors, toAccessListBody } from './access-list-form';

const LIST = {
  ...{ id: 'l', organization_id: 'o', name: 'EU', auto_approve: true, chat: ['a/*', 'policy/eu'] },
  ...{ embedding: [], image: ['b/c'], speech: [], transcription: [] },
};

it('sends a list as it was read when nothing is changed', () => {
  const { id: _id, organization_id: _organization, ...body } = LIST;
  expect(toAccessListBody(fillAccessList(LIST))).toEqual(body);
});

it('says what the interface would say', () => {
  expect(findAccessListErrors(EMPTY_ACCESS_LIST)).toEqual({ name: 'must not be empty' });
  const patterns = { ...EMPTY_ACCESS_LIST.patterns, chat: 'x'.repeat(257) };
  expect(findAccessListErrors({ name: 'x', isOpenEnded: false, patterns })).toEqual({ 'chat.0': 'must have at most 256 characters' });
  expect(findAccessListErrors(fillAccessList(LIST))).toEqual({});
});
