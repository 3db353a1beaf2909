import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { startTestDatabase, type TestDatabase } from './__fixtures__/test-database';

const TOOL = join(__dirname, '..', 'schema-tool.mjs');

let server: TestDatabase;
beforeAll(async () => {
  server = await startTestDatabase();
});
afterAll(() => server.stop());

function checkDrift(): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const run = execFile(process.execPath, [TOOL, 'drift', server.url], (_, stdout, stderr) =>
      resolve({ code: run.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

describe('schema drift', () => {
  test('the migrations lead exactly to prisma/schema, and the check would notice if they did not', async () => {
    expect(await checkDrift()).toEqual({ code: 0, output: 'no drift\n' });
    await server.database.pool.query('ALTER TABLE api_key DROP COLUMN last4');
    expect(await checkDrift()).toMatchObject({ code: 1, output: expect.stringContaining('1 steps missing') });
  }, 30_000);
});
