import { DatabaseError, type Client } from 'pg';
import type { DatabaseLog } from '../postgres/database-log';
import { TENANT_PRIVILEGES, TENANT_ROLE } from './tenant-role';

const INSUFFICIENT_PRIVILEGE = '42501';

/** Roles belong to the whole server: another database of it may be making this one at the same moment. */
const MAKE_ROLE = `DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${TENANT_ROLE}') THEN CREATE ROLE ${TENANT_ROLE} NOLOGIN; END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$`;

/** Superusers may take on any role. Since Postgres 16, the user that makes one is a member of it and still may not. */
const JOIN_ROLE = `DO $$ BEGIN
  IF NOT pg_has_role('${TENANT_ROLE}', CASE WHEN current_setting('server_version_num')::int < 160000 THEN 'MEMBER' ELSE 'SET' END) THEN EXECUTE format('GRANT ${TENANT_ROLE} TO %I', current_user); END IF;
END $$`;

/**
 * Functions that do what the role may not, and so are for this role only: one returns an id that it could not find out
 * otherwise, one changes an account that is in its organization alone.
 */
const FUNCTIONS = ['ensure_user_account(text, text, text)', 'change_own_account(uuid, uuid, text, text, text)'];
const ALLOW_FUNCTIONS = `DO $$ BEGIN
  ${FUNCTIONS.map(
    (name) => `IF to_regprocedure('${name}') IS NOT NULL AND NOT has_function_privilege('${TENANT_ROLE}', '${name}', 'EXECUTE')
  THEN GRANT EXECUTE ON FUNCTION ${name} TO ${TENANT_ROLE}; END IF;`,
  ).join('\n  ')}
END $$`;

const READ_RELATIONS = `SELECT c.relname AS name, c.relkind = 'S' AS is_sequence, c.relrowsecurity AS has_policy,
    array(SELECT t.attname::text FROM pg_attribute t WHERE t.attrelid = c.oid AND NOT t.attisdropped) AS columns,
    array(SELECT a.privilege_type FROM aclexplode(c.relacl) a WHERE a.grantee = '${TENANT_ROLE}'::regrole
      UNION ALL SELECT a.privilege_type || ' ' || t.attname FROM pg_attribute t, aclexplode(t.attacl) a
      WHERE t.attrelid = c.oid AND NOT t.attisdropped AND a.grantee = '${TENANT_ROLE}'::regrole) AS held
  FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p', 'S', 'v', 'm')`;

type Relation = {
  readonly name: string;
  readonly is_sequence: boolean;
  readonly has_policy: boolean;
  readonly columns: readonly string[];
  readonly held: readonly string[];
};

/**
 * Makes the role of tenants where it is missing and sees to it that it has the privileges of this version and no
 * others; when they are right already, nothing is touched. Where the login may not do that, says so and goes on: an
 * administrator then makes the role, as docs/operations.md says.
 */
export async function prepareTenantRole(client: Client, log: DatabaseLog): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(MAKE_ROLE);
    await client.query(JOIN_ROLE);
    await client.query(ALLOW_FUNCTIONS);
    const { rows } = await client.query<Relation>(READ_RELATIONS);
    for (const statement of rows.flatMap(listCorrections)) await client.query(statement);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    if (!(error instanceof DatabaseError) || error.code !== INSUFFICIENT_PRIVILEGE) throw error;
    log.warn({ error }, `row-level security is not in force: the role ${TENANT_ROLE} could not be prepared (see docs/operations.md)`);
  }
}

/**
 * What leads from the privileges that the role has to those that it is meant to have. A database may be older than the list:
 * what has no policy yet is given to no one, and of what is not there nothing.
 */
function listCorrections({ name, is_sequence: isSequence, has_policy: hasPolicy, columns, held }: Relation): string[] {
  const isPossible = (privilege: string): boolean => {
    const [, column] = privilege.split(' ');
    return column === undefined ? isSequence || hasPolicy : columns.includes(column);
  };
  const meant = (TENANT_PRIVILEGES[name] ?? []).filter(isPossible);
  const relation = `${isSequence ? 'SEQUENCE ' : ''}"${name}"`;
  const phrase = (privilege: string): string => privilege.replace(/ (\w+)$/, ' ("$1")');
  return [
    ...held.filter((one) => !meant.includes(one)).map((one) => `REVOKE ${phrase(one)} ON ${relation} FROM ${TENANT_ROLE}`),
    ...meant.filter((one) => !held.includes(one)).map((one) => `GRANT ${phrase(one)} ON ${relation} TO ${TENANT_ROLE}`),
  ];
}
