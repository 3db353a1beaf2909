import { BALANCE_SCOPE, parseScope } from '@weir/limits';
import type { Physics } from '../../physics/physics';
import { MONEY_STATEMENTS } from './money-statements';
import { STATEMENTS, type Values } from './statements';
import { createTables, View, type EventRow } from './tables';

export type Query = { readonly name: string; readonly values?: Values };
export type Session = { view: View | null; isBroken: boolean; statement: number };
type Rows = readonly Readonly<Record<string, unknown>>[];

/** Of the server: what it refuses, by its code. */
export class ServerError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The session is gone, and its transaction with it. */
export class ConnectionLost extends Error {}

const IDLE_MS = 10_000;
const LOCK_MS = 5_000;
/** The first lock of a transaction: who comes second waits here. */
const LOCKS = new Set(['weir-lock-offset', 'weir-lock-writers']);
const HANDLERS = { ...STATEMENTS, ...MONEY_STATEMENTS };

/**
 * The database: committed rows, and transactions of which one at a time is at work, as all wait for the same rows. What is
 * committed is durable. It may end a session at any statement, and at a commit before or after it was made.
 */
export class Database {
  readonly name = 'database';
  isUp = true;
  readonly tables = createTables();
  private holder: Session | null = null;
  private readonly waiting: { readonly session: Session; readonly go: () => void }[] = [];
  private readonly sessions = new Set<Session>();

  constructor(
    private readonly world: Physics,
    /** Called with the events of every commit. */
    private readonly onCommit: (rows: readonly EventRow[]) => void,
  ) {}

  /** What is committed of a scope, as limits ask for it. */
  readBase(organizationId: string, scope: string): bigint {
    if (scope === BALANCE_SCOPE) return this.tables.accounts.get(`${organizationId} usage`) ?? 0n;
    const { kind, id, monthStartMs } = parseScope(scope) ?? {};
    if (typeof monthStartMs === 'number') return this.tables.spend.get(`${kind} ${id} ${monthStartMs / 1000}`)?.costPico ?? 0n;
    return this.tables.limitUsage.get(`${organizationId} ${scope}`)?.used ?? 0n;
  }

  connect(): Session {
    const session: Session = { view: null, isBroken: false, statement: 0 };
    this.sessions.add(session);
    return session;
  }

  /** Ends all sessions; what was committed stays. */
  crash(): void {
    for (const session of [...this.sessions]) this.end(session);
  }

  end(session: Session): void {
    session.isBroken = true;
    session.view = null;
    this.sessions.delete(session);
    this.unlock(session);
  }

  async run(session: Session, query: Query): Promise<Rows> {
    this.check(session);
    const { faults } = this.world;
    session.statement += 1;
    if (session.view !== null && faults.happens('database-abort', 0.002)) {
      const code = this.world.dice.database.pick(['08006', '40P01', '40001', '57P01']);
      this.world.trace.note('database', `FAULT ends ${query.name} with ${code}`);
      if (code === '08006' || code === '57P01') {
        this.end(session);
        throw new ConnectionLost(code);
      }
      this.rollBack(session);
      throw new ServerError(code, 'the transaction was chosen to end');
    }
    if (LOCKS.has(query.name) && this.holder !== session) await this.lock(session);
    this.check(session);
    return this.execute(session, query);
  }

  begin(session: Session): void {
    this.check(session);
    session.view = new View(this.tables);
  }

  commit(session: Session): void {
    this.check(session);
    const { view } = session;
    if (view === null) throw new ServerError('25P02', 'there is no transaction');
    const { faults, trace } = this.world;
    const isAborted = faults.happens('database-abort', 0.01);
    if (isAborted && this.world.dice.database.chance(0.5)) {
      trace.note('database', 'FAULT loses a commit');
      this.end(session);
      throw new ConnectionLost('before the commit');
    }
    const isForgotten = faults.isMutated('ack-before-commit') && this.world.dice.database.chance(0.03);
    if (!isForgotten) this.onCommit(view.commit());
    session.view = null;
    this.unlock(session);
    if (!isAborted) return;
    trace.note('database', 'FAULT loses the reply to a commit');
    this.end(session);
    throw new ConnectionLost('after the commit');
  }

  rollBack(session: Session): void {
    session.view = null;
    this.unlock(session);
  }

  private check(session: Session): void {
    if (session.isBroken) throw new ConnectionLost('the session was ended');
  }

  private execute(session: Session, { name, values = [] }: Query): Rows {
    const handler = HANDLERS[name];
    if (handler === undefined) throw new Error(`the database of the simulator does not know the statement ${name}`);
    const { faults } = this.world;
    if (name === 'weir-mark-seen' && faults.isMutated('drop-seen-mark') && this.world.dice.database.chance(0.05)) return [];
    const view = session.view ?? new View(this.tables);
    const rows = handler(view, values);
    if (name === 'weir-add-spend' && faults.isMutated('add-outside-transaction')) this.commitSpend(view);
    return rows;
  }

  private commitSpend(view: View): void {
    for (const key of view.keys('spend')) {
      const row = view.get('spend', key);
      if (row !== undefined) this.tables.spend.set(key, row);
    }
  }

  private lock(session: Session): Promise<void> {
    if (this.holder === null) {
      this.hold(session);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const { scheduler } = this.world;
      const entry = {
        session,
        go: () => {
          timeout.isCancelled = true;
          this.hold(session);
          resolve();
        },
      };
      const timeout = scheduler.after(LOCK_MS, null, () => {
        const at = this.waiting.indexOf(entry);
        if (at < 0) return;
        this.waiting.splice(at, 1);
        this.rollBack(session);
        reject(new ServerError('55P03', 'a lock was waited for in vain'));
      });
      this.waiting.push(entry);
    });
  }

  private hold(session: Session): void {
    this.holder = session;
    this.watchIdle(session, session.statement);
  }

  /** A session that says nothing while others wait for its locks is ended. */
  private watchIdle(session: Session, statement: number): void {
    this.world.scheduler.after(IDLE_MS, null, () => {
      if (this.holder !== session) return;
      if (session.statement !== statement) return this.watchIdle(session, session.statement);
      this.world.trace.note('database', 'ends a session that was idle in its transaction');
      this.end(session);
    });
  }

  private unlock(session: Session): void {
    if (this.holder !== session) return;
    this.holder = null;
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) {
      if (next.session.isBroken) continue;
      next.go();
      return;
    }
  }
}
