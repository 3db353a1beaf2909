import type { CurrentObject } from '../plan/configuration-object';
import { writeDocument } from './write-document';

const alias = (name: string, configuration?: string): CurrentObject => ({
  ...{ kind: 'alias', name, id: name, fields: { model: 'a/b' } },
  owner: configuration === undefined ? undefined : { configuration, isMade: true },
});

it('a document has what no other configuration looks after', () => {
  const current = [alias('by-hand'), alias('ours', 'platform'), alias('theirs', 'mounted')];

  expect(writeDocument(current, 'platform')['aliases']).toEqual([
    { model: 'a/b', name: 'by-hand' },
    { model: 'a/b', name: 'ours' },
  ]);
});
