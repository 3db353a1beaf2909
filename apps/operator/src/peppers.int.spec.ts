import { createKeyDigests, createKeyPeppers } from '@weir/access';
import { createDatabase, createKeyDirectory } from '@weir/database';
import { getPostgres, waitUntil, type RealPostgres } from '@weir/testing';
import { runWeir as weir } from './__fixtures__/run-weir';

const PEPPER = 'a pepper of thirty-two characters';

let postgres: RealPostgres;

beforeAll(async () => {
  postgres = await getPostgres();
});
afterAll(() => postgres.stop());

it('shows what hangs on the one before, and withdraws it when nothing does any more', async () => {
  const url = await postgres.createDatabase();
  const before = { DATABASE_URL: url, KEY_PEPPER: PEPPER };
  const during = { DATABASE_URL: url, KEY_PEPPER: 'the pepper that comes, of 32 characters or more', KEY_PEPPER_PREVIOUS: PEPPER };
  const old = await weir('organization create --name Old', before);
  await weir('organization create --name New', during);
  const listed = await weir('pepper list', during);
  const countOf = (is: string): unknown => (listed.json['peppers'] as { is: string; keys: number }[]).find((one) => one.is === is)?.keys;
  expect([countOf('current'), countOf('previous'), listed.json['keys_waiting'], listed.json['overlaps_waiting']]).toEqual([1, 1, 1, 0]);
  expect(await weir('pepper withdraw', during)).toMatchObject({
    code: 1,
    complaint: expect.stringContaining('1 keys and 0 rotated secrets') as string,
  });

  const peppers = createKeyPeppers(during.KEY_PEPPER, during.KEY_PEPPER_PREVIOUS);
  const own = createDatabase({ url });
  try {
    const findOld = () => createKeyDirectory(own.pool, { peppers }).findByDigest(createKeyDigests(peppers)(String(old.json['api_key'])));
    expect((await findOld())?.status).toBe('active');
    await waitUntil('nothing waits', async () => (await weir('pepper list', during)).json['keys_waiting'] === 0);
    // An operator who goes back to the former pepper alone loses no key, and the command shows it.
    const back = await weir('pepper list', before);
    expect(back.json).toMatchObject({ peppers: [{ is: 'current', keys: 2 }], keys_waiting: 0, overlaps_waiting: 0 });

    const { code, json } = await weir('pepper withdraw', during);
    expect([code, json]).toEqual([0, { forgotten_hashes: 2, keys_waiting: 0, overlaps_waiting: 0 }]);
    expect((await findOld())?.status).toBe('active');
    expect(await own.prisma.apiKey.count({ where: { formerHash: { not: null } } })).toBe(0);
  } finally {
    await own.close();
  }
});
