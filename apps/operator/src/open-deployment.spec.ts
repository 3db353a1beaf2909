import { loadEnv } from '@weir/config';
import { createLogger } from '@weir/telemetry';
import { makeTestFolder } from '@weir/testing';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { operatorEnv } from './env';
import { openDeployment } from './open-deployment';

it('starts no Postgres where nothing may be embedded, and names the setting that replaces it', async () => {
  const folder = makeTestFolder('operator');
  const env = loadEnv(operatorEnv, { NO_EMBEDDED: '1', KEY_PEPPER: 'p'.repeat(32), DATA_DIR: folder });

  await expect(openDeployment(env, createLogger({ service: 'weir', level: 'silent' }))).rejects.toThrow(
    /NO_EMBEDDED is set: set DATABASE_URL/,
  );
  expect(existsSync(join(folder, 'postgres'))).toBe(false);
});
