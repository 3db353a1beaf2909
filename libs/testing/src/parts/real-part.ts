/** The parts that integration suites may ask for. */
export type RealPart =
  'postgres' | 'redis' | 'redis-cluster' | 'kafka' | 'keycloak' | 's3' | 'browser' | 'python' | 'helm' | 'prometheus' | 'clickhouse';

/** Where a part came from, in the order in which they are tried. */
type PartOrigin = 'environment' | 'container' | 'local program';

export const PART_VARIABLES: Readonly<Record<RealPart, string>> = {
  postgres: 'TEST_DATABASE_URL',
  redis: 'TEST_REDIS_URL',
  'redis-cluster': 'TEST_REDIS_CLUSTER',
  kafka: 'TEST_KAFKA_BROKERS',
  keycloak: 'TEST_KEYCLOAK_URL',
  s3: 'TEST_S3_URL',
  browser: 'TEST_BROWSER',
  python: 'TEST_PYTHON',
  helm: 'TEST_HELM',
  prometheus: 'TEST_PROMETHEUS',
  clickhouse: 'TEST_CLICKHOUSE_URL',
};

/** Says which real part a suite runs against. Written past jest's console, which would add a stack to every line. */
export function announcePart(part: RealPart, origin: PartOrigin, detail: string): void {
  process.stderr.write(`real ${part}: ${origin}, ${detail}\n`);
}
