import type { Group, Key } from '../administration/lists';
import { findKeysFor, listDeciding, type Reach } from './keys-for-model';

const MODEL = { id: 'sandbox/chat', api: 'chat' } as const;
const reach = (chat: string[], names: string[] = []): Reach => ({
  models: { chat, embedding: [], image: [], transcription: [], speech: [] },
  names,
});
const key = (id: string, part: Partial<Key> = {}): Key =>
  ({
    id,
    status: 'active',
    permissions: { completions: 'write', manage: 'none', contents: 'none' },
    group: null,
    access_list_id: null,
    ...part,
  }) as Key;
const groups = [{ id: 'g1', access_list_id: 'narrow' }] as Group[];
const reaches = new Map([
  ['wide', reach(['sandbox/chat', 'other/chat'])],
  ['narrow', reach(['other/chat'], ['policy/main'])],
]);

describe('keys that may use a model', () => {
  const keys = [
    key('free'),
    key('wide', { access_list_id: 'wide' }),
    key('narrow', { access_list_id: 'narrow' }),
    key('in the group', { access_list_id: 'wide', group: { id: 'g1' } }),
    key('reads', { permissions: { completions: 'read', manage: 'write', contents: 'none' } }),
    key('over', { status: 'expired' }),
  ];

  it('are those whose lists all let it in, that are active and may use models', () => {
    const { may, mayNot } = findKeysFor(MODEL, keys, { groups, reaches });
    expect([may.map(({ id }) => id), mayNot]).toEqual([['free', 'wide'], 4]);
  });

  it('are found for policies and aliases by the names of a list', () => {
    const { may } = findKeysFor({ id: 'policy/main', api: 'chat' }, keys, { groups, reaches });
    expect(may.map(({ id }) => id)).toEqual(['free', 'narrow']);
  });

  it('are decided about by the lists of keys and groups', () => {
    expect(listDeciding(keys, groups)).toEqual(['wide', 'narrow']);
  });
});
