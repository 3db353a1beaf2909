import { announcePart, PART_VARIABLES } from './real-part';
import { startContainer } from './start-container';
import { leaseLocalPostgres } from './lease-local-postgres';
import { createTestDatabases } from './create-test-databases';

export type RealPostgres = {
  /** The server's own database, for administration; suites make theirs. */
  readonly url: string;
  /** Makes a database with the present schema and nothing in it; returns its address. */
  createDatabase(): Promise<string>;
  /** Drops the databases that were made. The server itself ends with this process, unless it is shared. */
  stop(): Promise<void>;
};

/** A real Postgres: the one the environment names, a container, or the embedded one, which is always there. */
export async function getPostgres(): Promise<RealPostgres> {
  const given = process.env[PART_VARIABLES.postgres];
  if (given !== undefined && given !== '') {
    announcePart('postgres', 'environment', PART_VARIABLES.postgres);
    return { url: given, ...createTestDatabases(given) };
  }
  const container = await startContainer({
    image: 'postgres:18-alpine',
    containerPort: 5432,
    environment: { POSTGRES_USER: 'weir', POSTGRES_PASSWORD: 'weir', POSTGRES_DB: 'weir' },
    command: ['postgres', '-c', 'fsync=off', '-c', 'max_connections=300'],
    readyLine: /database system is ready to accept connections/,
    readyLineCount: 2, // the first is of the server that runs only to initialize
  });
  if (container !== undefined) {
    announcePart('postgres', 'container', 'postgres:18-alpine');
    const url = `postgresql://weir:weir@${container.host}:${container.port}/weir`;
    return { url, ...createTestDatabases(url), stop: () => container.stop() };
  }
  const { url, isNews } = await leaseLocalPostgres();
  if (isNews) announcePart('postgres', 'local program', `embedded, at ${url.replace(/:[^:@/]+@/, ':***@')}`);
  return { url, ...createTestDatabases(url) };
}
