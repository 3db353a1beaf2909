import { writeCsv } from '../../format/csv';
import type { Key } from '../administration/lists';
import { listKeyCsv } from './keys-csv';

const key: Key = {
  id: 'k1',
  name: '=crawler',
  monthly_limit: 0,
  monthly_spend: 0.000000000001,
  permissions: { manage: 'none', completions: 'write', contents: 'none' },
  labels: { team: 'search', 'cost-center': '42' },
  created_by: { id: 'u1', email: 'ann@example.com' },
  group: { id: 'g1' },
  access_list_id: null,
  status: 'active',
  priority: 'normal',
  share: 1,
  prefix: 'weir_live_abc',
  last4: 'wxyz',
  expires_at: null,
  created_at: '2026-11-01T00:00:00Z',
  last_used_at: null,
};

describe('keys as a file', () => {
  it('have exact amounts, no limit where there is none, and names as text', () => {
    const columns = listKeyCsv({ groups: new Map([['g1', 'Research']]), accessLists: new Map() });
    const [head = '', row = ''] = writeCsv(columns, [key]).split('\r\n');
    const cells = new Map(head.split(',').map((name, index) => [name, row.split(',')[index]]));

    expect(Object.fromEntries(cells)).toMatchObject({
      name: "'=crawler",
      group_name: 'Research',
      monthly_spend_usd: '0.000000000001',
      monthly_limit_usd: '',
      labels: 'team=search; cost-center=42',
      access_list_name: '',
    });
  });
});
