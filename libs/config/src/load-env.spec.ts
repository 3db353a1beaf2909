import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestFolder } from '@weir/testing';
import { z } from 'zod';
import { httpEnv } from './fragments/http';
import { pepperEnv } from './fragments/secrets';
import { createEnvLookup, EnvError, loadEnv } from './load-env';

const schema = z.object({ ...httpEnv(4000).shape, ...pepperEnv.shape });
const pepper = 'p'.repeat(32);

describe('loadEnv', () => {
  it('fills defaults and freezes the result', () => {
    const env = loadEnv(schema, { KEY_PEPPER: pepper });

    expect(env).toMatchObject({ PORT: 4000, HOST: '127.0.0.1' });
    expect(Object.isFrozen(env)).toBe(true);
  });

  it('lists every problem at once', () => {
    const load = () => loadEnv(schema, { PORT: 'http', DRAIN_TIMEOUT_MS: '-1' });

    expect(load).toThrow(EnvError);
    expect(load).toThrow(/PORT[\s\S]*DRAIN_TIMEOUT_MS[\s\S]*KEY_PEPPER/);
  });

  it('takes a value from the file that <NAME>_FILE names', () => {
    const path = join(makeTestFolder('env'), 'pepper');
    writeFileSync(path, `${pepper}\n`);

    expect(loadEnv(schema, { KEY_PEPPER_FILE: path }).KEY_PEPPER).toBe(pepper);
    expect(createEnvLookup({ ANY_KEY_FILE: path })('ANY_KEY')).toBe(pepper);
  });

  it('names the variable whose file cannot be read', () => {
    expect(() => loadEnv(schema, { KEY_PEPPER_FILE: '/nowhere/at-all' })).toThrow(/KEY_PEPPER_FILE: cannot be read/);
  });

  it('treats an empty variable as absent', () => {
    expect(loadEnv(schema, { KEY_PEPPER: pepper, PORT: '' }).PORT).toBe(4000);
  });
});
