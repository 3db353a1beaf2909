import { USAGE_MEASURES } from '@weir/contracts';
import { EVENT_DATASET, LINE_DATASETS } from './datasets';
import { nameFileObject, nameManifest } from './name-objects';

describe('the datasets of exported usage', () => {
  it.each([...Object.entries(LINE_DATASETS), ['events', EVENT_DATASET] as const])(
    '%s: names are unique, and every sum is of a column',
    (name, dataset) => {
      const names = dataset.columns.map((column) => column.name);
      expect(new Set(names.map((each) => each.toLowerCase())).size).toBe(names.length);
      for (const [column, measure] of Object.entries(dataset.sums)) {
        const kind = dataset.columns.find((each) => each.name === column)?.kind;
        expect([column, kind]).toEqual([column, measure.endsWith('_usd') ? 'money' : 'count']);
      }
      if (name !== 'focus') expect(Object.values(dataset.sums)).toEqual([...USAGE_MEASURES]);
    },
  );

  it('leave out names, which are today’s', () => {
    for (const [name, { columns }] of Object.entries(LINE_DATASETS)) {
      if (name !== 'focus') expect(columns.filter((column) => /_name$|email/.test(column.name))).toEqual([]);
    }
    expect(LINE_DATASETS.models.columns.map(({ name }) => name)).not.toContain('api_key_id');
  });

  it('are found by their keys; no partition is called as a column is', () => {
    const day = { organizationId: 'o', dayMs: Date.UTC(2026, 9, 7), revision: 2 };
    const key = nameFileObject('a/b', day, { dataset: 'days', format: 'csv', fingerprint: '0123456789abcdef' });
    expect(key).toBe('a/b/v1/days/csv/organization=o/day=2026-10-07/rev=2/days-2026-10-07-r2-0123456789ab.csv.gz');
    expect(nameManifest('', day)).toBe('v1/manifests/organization=o/day=2026-10-07/manifest-2026-10-07-r2.json');
    const columns = [...Object.values(LINE_DATASETS), EVENT_DATASET].flatMap((dataset) => dataset.columns.map(({ name }) => name));
    for (const partition of ['organization', 'day', 'rev']) expect(columns).not.toContain(partition);
  });
});
