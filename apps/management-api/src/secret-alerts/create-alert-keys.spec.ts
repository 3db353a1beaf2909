import { generateKeyPairSync, verify } from 'node:crypto';
import { createAlertKeys } from './create-alert-keys';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const makePem = (namedCurve = 'P-256'): string =>
  generateKeyPairSync('ec', { namedCurve }).publicKey.export({ type: 'spki', format: 'pem' }).toString();
const listOf = (...keys: readonly (readonly [id: string, pem: string])[]): string =>
  JSON.stringify({ public_keys: keys.map(([id, pem]) => ({ key_identifier: id, key: pem, is_current: true })) });

function open() {
  const server = { text: listOf(['a', makePem()]), isDown: false, asked: 0, now: 0 };
  const keys = createAlertKeys({
    fetchKeys: () => {
      server.asked += 1;
      return server.isDown ? Promise.reject(new Error('down')) : Promise.resolve(server.text);
    },
    now: () => server.now,
  });
  return { server, keys };
}

describe('the keys of a scanner', () => {
  it('are fetched once an hour, and once for all who ask at the same time', async () => {
    const { server, keys } = open();
    await Promise.all([keys.find('a'), keys.find('a'), keys.find('a')]);
    server.now = HOUR_MS - 1;
    await keys.find('a');
    expect(server.asked).toBe(1);
    server.now = HOUR_MS + 1;
    expect(await keys.find('a')).toBeDefined();
    expect(server.asked).toBe(2);
  });

  it('are fetched again for one that is not among them, never twice a minute', async () => {
    const { server, keys } = open();
    for (let count = 0; count < 50; count += 1) expect(await keys.find(`made up ${count}`)).toBeUndefined();
    expect(server.asked).toBe(1);
    server.text = listOf(['a', makePem()], ['b', makePem()]);
    server.now = MINUTE_MS;
    expect(await keys.find('b')).toBeDefined();
    expect(server.asked).toBe(2);
  });

  it('are believed for a day while they cannot be fetched again, and one that was withdrawn no longer than an hour', async () => {
    const { server, keys } = open();
    await keys.find('a');
    server.isDown = true;
    server.now = 23 * HOUR_MS;
    expect(await keys.find('a')).toBeDefined();
    server.now = 24 * HOUR_MS + 1;
    await expect(keys.find('a')).rejects.toThrow('cannot be had');
    server.isDown = false;
    server.text = listOf(['b', makePem()]);
    server.now += MINUTE_MS;
    expect(await keys.find('a')).toBeUndefined();
  });

  it.each([
    ['no JSON'],
    ['{}'],
    ['{"public_keys":[{"key_identifier":"a","key":"no key"}]}'],
    [listOf(...Array.from({ length: 101 }, (_, at) => [`${at}`, ''] as const))],
  ])('are none when the server returns something else: %.60s', async (text) => {
    const { server, keys } = open();
    server.text = text;
    await expect(keys.find('a')).rejects.toThrow('cannot be had');
    server.text = listOf(['a', makePem()]);
    await expect(keys.find('a')).rejects.toThrow('cannot be had');
    server.now = MINUTE_MS;
    expect(await keys.find('a')).toBeDefined();
  });

  it('are of ECDSA P-256 only', async () => {
    const { server, keys } = open();
    server.text = listOf(['a', makePem('P-384')], ['b', makePem()]);
    expect([await keys.find('a'), (await keys.find('b'))?.asymmetricKeyType]).toEqual([undefined, 'ec']);
  });

  it('check a signature as it is documented', async () => {
    const { server, keys } = open();
    const pem = [
      '-----BEGIN PUBLIC KEY-----',
      'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE9MJJHnMfn2+H4xL4YaPDA4RpJqUq',
      'kCmRCBnYERxZanmcpzQSXs1X/AljlKkbJ8qpVIW4clayyef9gWhFbNHWAA==',
      '-----END PUBLIC KEY-----',
    ].join('\n');
    server.text = listOf(['documented', pem]);
    const key = await keys.find('documented');
    const body = '[{"token":"some_token","type":"some_type","url":"some_url"}]';
    const signature = 'MEUCIQDKZokqnCjrRtw0tni+2Ltvl/uiMJ1EGumEsp1BsNr32AIgQY1YXD2nlj+XNfGK4rBfkMJ1JDOQcYXxa2sY8FNkrKc=';
    if (key === undefined) throw new Error('the key was not read');
    expect(verify('sha256', Buffer.from(body), key, Buffer.from(signature, 'base64'))).toBe(true);
    expect(verify('sha256', Buffer.from(`${body} `), key, Buffer.from(signature, 'base64'))).toBe(false);
  });
});
