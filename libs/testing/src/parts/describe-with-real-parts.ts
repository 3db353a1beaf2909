import { canRunKafka } from '@weir/kafka';
import { countTests, type JestGlobals } from './count-tests';
import { findBrowser } from './get-browser';
import { canRunPython } from './can-run-python';
import { findProgram } from './find-program';
import { canRunHelm } from './get-helm';
import { findPrometheus } from './get-prometheus';
import { canRunKeycloak } from './get-keycloak';
import { canRunS3 } from './get-s3';
import { canRunRedisCluster } from './get-redis-cluster';
import { PART_VARIABLES, type RealPart } from './real-part';
import { mayHaveContainers } from './start-container';

/**
 * A suite that needs real parts. When one cannot be had, the suite is skipped with one line on stderr that counts its
 * tests; with REQUIRE_REAL_PARTS=1 it fails instead.
 */
export function describeWithRealParts(parts: readonly RealPart[], name: string, define: () => void): void {
  const jest = globalThis as unknown as JestGlobals;
  const missing = parts.map((part) => explainMissing(part)).filter((reason) => reason !== undefined);
  if (missing.length === 0) {
    jest.describe(name, define);
    return;
  }
  const why = missing.join('; ');
  if (process.env['REQUIRE_REAL_PARTS'] === '1') {
    jest.describe(name, () => {
      jest.it('has the real parts it needs', () => {
        throw new Error(`REQUIRE_REAL_PARTS=1, but ${why}`);
      });
    });
    return;
  }
  let count = 0;
  jest.describe.skip(name, () => {
    count = countTests(jest, define);
  });
  process.stderr.write(`\n!!! SKIPPED ${count} tests of "${name}": ${why}\n\n`);
}

/** How each part is had without the environment's help; the words say what is missing when it is not. */
const LOCALLY: Readonly<Record<RealPart, { readonly isThere: () => boolean; readonly missing: string; readonly asContainer: boolean }>> = {
  postgres: { isThere: () => true, missing: '', asContainer: true },
  redis: { isThere: () => findProgram('redis-server') !== undefined, missing: 'no redis-server on the PATH', asContainer: true },
  'redis-cluster': { isThere: canRunRedisCluster, missing: 'no redis-server and redis-cli on the PATH', asContainer: false },
  kafka: { isThere: () => canRunKafka(), missing: 'no java, or neither mvn nor a fetched broker', asContainer: true },
  s3: { isThere: canRunS3, missing: 'no java, or neither mvn nor a fetched server', asContainer: false },
  browser: { isThere: () => findBrowser() !== undefined, missing: 'no chromium on the PATH', asContainer: false },
  keycloak: { isThere: canRunKeycloak, missing: 'no java, or neither mvn nor a fetched server', asContainer: false },
  prometheus: { isThere: () => findPrometheus() !== undefined, missing: 'no prometheus and promtool on the PATH', asContainer: false },
  helm: { isThere: canRunHelm, missing: 'not Linux on x64, no java, or neither mvn nor a fetched library', asContainer: false },
  clickhouse: { isThere: canRunPython, missing: 'no python3 of 3.11 or newer with venv on the PATH', asContainer: false },
  python: { isThere: canRunPython, missing: 'no python3 of 3.11 or newer with venv on the PATH', asContainer: false },
};

/** Returns undefined when the part is available. */
function explainMissing(part: RealPart): string | undefined {
  const { isThere, missing, asContainer } = LOCALLY[part];
  if ((process.env[PART_VARIABLES[part]] ?? '') !== '' || (asContainer && mayHaveContainers()) || isThere()) return undefined;
  return `${part} cannot be had (no ${PART_VARIABLES[part]}${asContainer ? ', no container runtime' : ''}, ${missing})`;
}
