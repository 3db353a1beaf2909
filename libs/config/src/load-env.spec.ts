import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTestFolder } from '@weir/testing';
import { z } from 'zod';
import { httpEnv } from './fragments/http';
import { pepperEnv } from './fragments/secrets';
import { readSmtpSettings, smtpEnv } from './fragments/smtp';
import { createEnvLookup, EnvError, loadEnv, warnOfMisspelt } from './load-env';

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

  it('lists what single settings, and settings together, have against it at once', () => {
    const mail = z.object({ ...schema.shape, ...smtpEnv.shape });
    const load = () =>
      loadEnv(mail, { KEY_PEPPER: pepper, PORT: 'http', SMTP_HOST: 'mail' }, [
        readSmtpSettings,
        () => {
          throw new EnvError(['A: no', 'B: no']);
        },
      ]);
    expect(load).toThrow(/PORT: must be a whole number from 0 to 65535[\s\S]*SMTP_FROM: must be set[\s\S]*A: no[\s\S]*B: no/);
    // That it is missing follows from what is said of it already.
    expect(() => loadEnv(mail, { KEY_PEPPER: pepper, SMTP_HOST: 'mail', SMTP_FROM: 'no address' }, [readSmtpSettings])).toThrow(
      /usable:\n {2}- SMTP_FROM: must be an address, such as alerts@example.com$/,
    );
  });

  it('names the setting that a name nearly is', () => {
    expect(() => loadEnv(schema, { KEY_PEPER: pepper })).toThrow(
      /KEY_PEPPER: must be set[\s\S]*KEY_PEPER: is not known, did you mean KEY_PEPPER\?/,
    );

    const lines: string[] = [];
    const log = { warn: (_: object, line: string) => void lines.push(line) };
    const providers = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GROQ_API_KEY'];
    const set = { ...{ OPENAI_APIKEY: 'a', ANTROPIC_API_KEY: 'b', GROQ_TOKEN: 'c' }, PROT: '1', PATH: 'd', HOME: 'e', DD_API_KEY: 'f' };
    warnOfMisspelt(schema, log, providers, set);
    expect(lines.map((line) => /setting (\S+) .*mean (\S+)\?/.exec(line)?.slice(1))).toEqual([
      ['OPENAI_APIKEY', 'OPENAI_API_KEY'],
      ['ANTROPIC_API_KEY', 'ANTHROPIC_API_KEY'],
      ['GROQ_TOKEN', 'GROQ_API_KEY'],
    ]);
  });

  it('treats an empty variable as absent', () => {
    expect(loadEnv(schema, { KEY_PEPPER: pepper, PORT: '' }).PORT).toBe(4000);
  });
});
