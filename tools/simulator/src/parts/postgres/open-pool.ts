import { Writable } from 'node:stream';
import { DatabaseError, type Pool } from 'pg';
import { Line } from '../../physics/line';
import type { SimProcess } from '../../physics/sim-process';
import { ConnectionLost, ServerError, type Database, type Query, type Session } from './database';
import { UniqueViolation } from './statements';

const TIMEOUT_MS = 60_000;

/** The database as one process reaches it. Only what counting and limits use of the driver is there. */
export function openPool(process: SimProcess, database: Database): Pool {
  const connect = (): Promise<Client> => {
    const line = new Line(process, database);
    return line
      .call({ what: 'connect', timeoutMs: 2_000 }, () => database.connect())
      .then((session) => new Client(line, database, session));
  };
  const pool = {
    connect,
    query: async (query: Query) => {
      const client = await connect();
      try {
        return await client.query(query);
      } finally {
        client.release();
      }
    },
  };
  return pool as unknown as Pool;
}

class Client {
  constructor(
    private readonly line: Line,
    private readonly database: Database,
    private readonly session: Session,
  ) {}

  query(query: Query | string | Writable): Writable | Promise<{ readonly rows: readonly unknown[] }> {
    return query instanceof Writable ? this.openCopy() : this.ask(query);
  }

  /** The only table that rows are copied to is that of events. */
  private openCopy(): Writable {
    const pieces: Buffer[] = [];
    return new Writable({
      write: (piece: Buffer, _encoding, done) => {
        pieces.push(piece);
        done();
      },
      final: (done) => {
        this.ask({ name: 'weir-copy-events', values: [Buffer.concat(pieces)] }).then(() => done(), done);
      },
    });
  }

  private async ask(query: Query | string): Promise<{ readonly rows: readonly unknown[] }> {
    const { database, session } = this;
    const what = typeof query === 'string' ? query.slice(0, 8) : query.name;
    try {
      const rows = await this.line.call({ what, timeoutMs: TIMEOUT_MS }, () => this.serve(query));
      return { rows };
    } catch (error) {
      if (error instanceof ServerError) throw withCode(error.message, error.code);
      if (error instanceof UniqueViolation) throw withCode(error.message, '23505');
      // A connection whose call was not replied to is of no use any more, and the server learns that in its time.
      if (!(error instanceof ConnectionLost)) database.end(session);
      throw error;
    }
  }

  release(): void {
    const { database, session } = this;
    database.end(session);
  }

  private serve(query: Query | string): readonly unknown[] | Promise<readonly unknown[]> {
    const { database, session } = this;
    if (typeof query !== 'string') return database.run(session, query);
    if (query.startsWith('BEGIN')) database.begin(session);
    else if (query === 'COMMIT') database.commit(session);
    else database.rollBack(session);
    return [];
  }
}

function withCode(message: string, code: string): DatabaseError {
  return Object.assign(new DatabaseError(message, message.length, 'error'), { code });
}
