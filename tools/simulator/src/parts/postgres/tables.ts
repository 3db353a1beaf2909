export type Ranges = readonly (readonly [bigint, bigint])[];
type WriterRow = { readonly seen: Ranges; readonly epoch: number };
export type EventRow = {
  readonly writerId: string;
  readonly sequence: string;
  readonly organizationId: string;
  readonly eventId: string;
  readonly requestId: string;
  readonly payload: string;
};
type SpendRow = { readonly costPico: bigint; readonly requests: bigint; readonly version: bigint };
type LimitRow = { readonly used: bigint; readonly version: bigint };

/** The tables that counting writes to, each by its key. */
type Rows = {
  offsets: bigint;
  writers: WriterRow;
  /** By writer and sequence. */
  events: EventRow;
  deadLetters: { readonly reason: string; readonly payload: string };
  series: string;
  /** By organization, period and series: the measures in the order of their columns. */
  hours: readonly bigint[];
  days: readonly bigint[];
  months: readonly bigint[];
  /** By scope, its id and month. */
  spend: SpendRow;
  /** By organization and kind. */
  accounts: bigint;
  /** By idempotency key. */
  transactions: string;
  /** By transaction and line. */
  entries: bigint;
  limitUsage: LimitRow;
  freeDays: number;
};
export type TableName = keyof Rows;

export type Tables = { readonly [Name in TableName]: Map<string, Rows[Name]> };

export function createTables(): Tables {
  return {
    ...{ offsets: new Map(), writers: new Map(), events: new Map(), deadLetters: new Map(), series: new Map() },
    ...{ hours: new Map(), days: new Map(), months: new Map(), spend: new Map(), accounts: new Map() },
    ...{ transactions: new Map(), entries: new Map(), limitUsage: new Map(), freeDays: new Map() },
  };
}

/** What one transaction sees and has written: nothing of it is in the tables before it commits. */
export class View {
  private readonly written = new Map<TableName, Map<string, Rows[TableName]>>();

  constructor(readonly tables: Tables) {}

  get<Name extends TableName>(table: Name, key: string): Rows[Name] | undefined {
    return (this.written.get(table)?.get(key) as Rows[Name] | undefined) ?? (this.tables[table] as Map<string, Rows[Name]>).get(key);
  }

  set<Name extends TableName>(table: Name, key: string, row: Rows[Name]): void {
    let rows = this.written.get(table);
    if (rows === undefined) this.written.set(table, (rows = new Map()));
    rows.set(key, row);
  }

  /** Keys of what it has written. */
  keys(table: TableName): readonly string[] {
    return [...(this.written.get(table)?.keys() ?? [])];
  }

  /** How many rows there are, its own included. */
  size(table: TableName): number {
    let added = 0;
    for (const key of this.written.get(table)?.keys() ?? []) if (!this.tables[table].has(key)) added += 1;
    return this.tables[table].size + added;
  }

  /** Returns the events that are new with it. */
  commit(): readonly EventRow[] {
    for (const [table, rows] of this.written) {
      const kept = this.tables[table] as Map<string, Rows[TableName]>;
      for (const [key, row] of rows) kept.set(key, row);
    }
    return [...((this.written.get('events') as Map<string, EventRow> | undefined)?.values() ?? [])];
  }
}
