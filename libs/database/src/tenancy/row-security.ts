import { DatabaseError, type Pool, type PoolClient } from 'pg';
import { ANSWER_TIMEOUT_MS } from '../postgres/statement-timeout';
import { SILENT_LOG, type DatabaseLog } from '../postgres/database-log';
import { enterSql, TENANT_ROLE } from './tenant-role';

/** Becomes a tenant that is no organization, and looks at what all of them may look at. */
const TRY = {
  text: `BEGIN READ ONLY; SET LOCAL ROLE ${TENANT_ROLE}; SELECT FROM organization LIMIT 0; ROLLBACK`,
  query_timeout: ANSWER_TIMEOUT_MS,
};

/** There is no such role; it may not be taken on, or may do nothing here. */
const NOT_PREPARED = new Set(['22023', '42501']);

const ASK_AGAIN_AFTER_MS = 60_000;

/** Whether Postgres keeps organizations apart: whether this login can take on the role of tenants. */
export type RowSecurity = {
  /** Asks Postgres once; while it is not, again after a minute. */
  check(): Promise<boolean>;
  /** The last result; undefined before the first. */
  readonly isInForce: boolean | undefined;
};

const known = new WeakMap<Pool, RowSecurity>();

/** Of one set of connections; the first to ask says where its news go. */
export function rowSecurityOf(pool: Pool, log: DatabaseLog = SILENT_LOG): RowSecurity {
  const rowSecurity = known.get(pool) ?? createRowSecurity(pool, log);
  known.set(pool, rowSecurity);
  return rowSecurity;
}

function createRowSecurity(pool: Pool, log: DatabaseLog): RowSecurity {
  let lastResult: boolean | undefined;
  let askedAtMs = 0;
  let asking: Promise<boolean> | undefined;

  const ask = async (): Promise<boolean> => {
    const isEnforced = await canBecomeTenant(pool);
    if (!isEnforced && lastResult === undefined) {
      log.warn(
        { role: TENANT_ROLE },
        'row-level security is not in force: this login cannot take on the role; organizations are kept apart by queries alone (see docs/operations.md)',
      );
    }
    if (isEnforced && lastResult === false) log.info({ role: TENANT_ROLE }, 'row-level security is in force from now on');
    [lastResult, askedAtMs] = [isEnforced, Date.now()];
    return isEnforced;
  };

  return {
    get isInForce() {
      return lastResult;
    },
    check: () => {
      if (lastResult === true) return Promise.resolve(true);
      if (lastResult === false && Date.now() - askedAtMs < ASK_AGAIN_AFTER_MS) return Promise.resolve(false);
      asking ??= ask().finally(() => (asking = undefined));
      return asking;
    },
  };
}

async function canBecomeTenant(pool: Pool): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query(TRY);
    client.release();
    return true;
  } catch (error) {
    if (!(error instanceof DatabaseError) || !NOT_PREPARED.has(error.code ?? '')) {
      client.release(true);
      throw error;
    }
    await client.query('ROLLBACK');
    client.release();
    return false;
  }
}

/** Takes a connection and begins a transaction of one organization on it. The caller ends both. */
export async function beginAsOrganization(pool: Pool, organizationId: string, begin: string): Promise<PoolClient> {
  const enter = (await rowSecurityOf(pool).check()) ? `; ${enterSql(organizationId)}` : '';
  const client = await pool.connect();
  try {
    const statement = { text: begin + enter, query_timeout: ANSWER_TIMEOUT_MS };
    await client.query(statement);
    return client;
  } catch (error) {
    client.release(error instanceof Error ? error : true);
    throw error;
  }
}
