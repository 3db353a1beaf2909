import { describeWithRealParts, getPython } from '@weir/testing';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../harness/run-process';
import { startStandalone, type Harness } from '../harness/start-standalone';

const PROGRAMS = join(ROOT, 'apps', 'management-api', 'programs');
const TIMEOUT_MS = 300_000;

/** What two public clients find, who check whether a server speaks SCIM; docs/provisioning.md says why each of these stays. */
describeWithRealParts(['python'], 'public conformance clients of SCIM', () => {
  let python: string;
  let harness: Harness;
  beforeAll(async () => {
    python = await getPython(join(PROGRAMS, 'scim-clients.txt'));
    harness = await startStandalone();
  }, 300_000);
  afterAll(() => harness.process.terminate());

  /** That something was found is their exit code; what it is stands in the output. */
  const run = (...args: string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      execFile(python, args, { timeout: TIMEOUT_MS, env: { PATH: process.env['PATH'] ?? '' } }, (error, stdout, stderr) => {
        if (stdout === '' || typeof error?.code === 'string' || error?.killed === true) reject(new Error(stderr, { cause: error }));
        else resolve(stdout);
      });
    });

  it(
    'scim2-tester finds two kinds of things of 117, and nothing else',
    async () => {
      const printed = await run(join(PROGRAMS, 'check-scim.py'), harness.url, harness.apiKey);
      expect(printed.trim().split('\n')).toEqual([
        expect.stringMatching(/^ERROR User search_with_attributes/),
        expect.stringMatching(/^ERROR User check_remove_attribute .*'active'/),
        expect.stringMatching(/^ERROR Group search_with_attributes/),
        '114 success, 3 error',
      ]);
    },
    TIMEOUT_MS,
  );

  it(
    'scim-sanity wants a group to take a member who does not exist, and nothing else',
    async () => {
      const options = ['--token', harness.apiKey, '--i-accept-side-effects', '--json-output'];
      const printed = await run('-m', 'scim_sanity', 'probe', `${harness.url}/scim/v2`, ...options);
      const { summary, results } = JSON.parse(printed) as { summary: object; results: { name: string; status: string }[] };
      expect(summary).toMatchObject({ passed: 27, failed: 1, warnings: 0, errors: 0 });
      expect(results.filter(({ status }) => status === 'fail')).toMatchObject([{ name: 'PATCH /Groups/{id} add member' }]);
    },
    TIMEOUT_MS,
  );
});
