import type { ClickHouse } from '../connection/create-clickhouse';

/** The latest pass that has written something; 0 where none has. */
export async function readMark(clickhouse: Pick<ClickHouse, 'read'>): Promise<number> {
  const rows = await clickhouse.read<[string]>('SELECT toString(max(run)) FROM usage_pass');
  return Number(rows[0]?.[0] ?? 0);
}

export type PassMark = {
  /** Says that the pass writes something, before it does. */
  write(): Promise<void>;
};

export function createPassMark(clickhouse: Pick<ClickHouse, 'insert'>, run: number): PassMark {
  let isWritten = false;
  return {
    write: async () => {
      if (isWritten) return;
      await clickhouse.insert('usage_pass', [{ store: 1, run }]);
      isWritten = true;
    },
  };
}
