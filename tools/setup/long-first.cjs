// Begins with the files that take longest: a suite that begins them last waits for them with one core idle.
const { statSync } = require('node:fs');

/** The longest first. */
const LONG = [
  'tools/simulator/src/run-world.spec.ts',
  'clickhouse/src/feed/feed-usage.int.spec.ts',
  'clickhouse/src/usage-reads.int.spec.ts',
  'tools/chaos/src/money-path.e2e.spec.ts',
  'tools/chaos/src/family.e2e.spec.ts',
  'console/every-page.e2e.spec.ts',
  'specs/first-contact.e2e.spec.ts',
  'specs/several-processes.e2e.spec.ts',
  'specs/limits-shared.e2e.spec.ts',
  'specs/rolling-restart.e2e.spec.ts',
  'specs/lifecycle.e2e.spec.ts',
  'specs/distributed.e2e.spec.ts',
  'specs/zero-retention.e2e.spec.ts',
  'specs/packages.e2e.spec.ts',
  'console/administration.e2e.spec.ts',
  'console/groups-and-members.e2e.spec.ts',
  'console/hostile-names.e2e.spec.ts',
  'console/playground.e2e.spec.ts',
  'management-api/src/roles.int.spec.ts',
  'management-api/src/console-oidc.int.spec.ts',
  'holds/cluster/cluster-changes.int.spec.ts',
  'management-api/src/oidc-sessions.int.spec.ts',
  'kafka/kafka-usage-bus.int.spec.ts',
  'clickhouse/src/compare/compare-stores.int.spec.ts',
  'identity/keycloak/keycloak.int.spec.ts',
  'management-api/src/endpoints.int.spec.ts',
  'deployment/chart.int.spec.ts',
  'management-api/src/usage-export.int.spec.ts',
  'files/usage-files.int.spec.ts',
  'src/start-embedded-postgres.int.spec.ts',
  'make-days-stale.int.spec.ts',
  'files/killed-exports.int.spec.ts',
  'replay/replay.int.spec.ts',
  'upstream-requests/published-types.int.spec.ts',
  'tenancy/organization-database.int.spec.ts',
  'database/src/silent-database.int.spec.ts',
  'recordings/src/paced-source.spec.ts',
  'routing/src/fleet.spec.ts',
  'guardrails/src/throughput.spec.ts',
  'checks/src/generators.spec.ts',
];

/** As Jest asks for it; the rest in Jest's own order on a fresh machine, by the size of the file. */
module.exports = class LongFirst {
  sort(tests) {
    const rank = ({ path }) => {
      const at = LONG.findIndex((name) => path.endsWith(name));
      return at === -1 ? LONG.length : at;
    };
    const order = tests.map((test) => ({ test, rank: rank(test), bytes: statSync(test.path).size }));
    return order.sort((a, b) => a.rank - b.rank || b.bytes - a.bytes).map(({ test }) => test);
  }

  shard(tests) {
    return tests;
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {}
};
