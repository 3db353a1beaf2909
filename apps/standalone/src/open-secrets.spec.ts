import { makeTestFolder } from '@weir/testing';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openSecrets, readPeppers } from './open-secrets';

const KEY_PEPPER = 'the pepper that is given, of 32 characters or more';
const SEALING_KEY = 'the sealing key that is given, of 32 characters or more';

describe('the secrets of a data directory', () => {
  it('are made once, for their owner alone, and are the same from then on', () => {
    const folder = join(makeTestFolder('secrets'), 'data');
    const made = openSecrets(folder);

    expect(openSecrets(folder)).toEqual(made);
    expect(JSON.parse(readFileSync(join(folder, 'secrets.json'), 'utf8'))).toEqual(made);
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  it('are neither made nor kept where the settings give them', () => {
    const folder = makeTestFolder('secrets');

    expect(openSecrets(folder, { KEY_PEPPER, SEALING_KEY })).toEqual({ keyPepper: KEY_PEPPER, sealingKey: SEALING_KEY });
    expect(existsSync(join(folder, 'secrets.json'))).toBe(false);
  });

  it('go on opening what they sealed beside a sealing key that is given, and keep their pepper', () => {
    const folder = makeTestFolder('secrets');
    const made = openSecrets(folder);

    expect(openSecrets(folder, { SEALING_KEY })).toEqual({ ...made, sealingKey: `${SEALING_KEY},${made.sealingKey}` });
  });

  it('give way to a pepper that is given, beside which only the one before counts', () => {
    const folder = makeTestFolder('secrets');
    const { keyPepper } = openSecrets(folder);

    expect(readPeppers(openSecrets(folder, { KEY_PEPPER }))).toEqual({ current: KEY_PEPPER });
    expect(readPeppers(openSecrets(folder, { KEY_PEPPER, KEY_PEPPER_PREVIOUS: keyPepper }))).toEqual({
      current: KEY_PEPPER,
      previous: keyPepper,
    });
  });
});
