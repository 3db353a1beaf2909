import { randomUUID } from 'node:crypto';
import type { Prisma } from '../..';
import type { TestDatabase } from '../../__fixtures__/test-database';

export const USD = 1_000_000_000_000n;

type Firing = Prisma.AlertFiringGetPayload<object>;

export type AlertsFixture = {
  readonly server: TestDatabase;
  readonly organizationId: string;
  readonly keyId: string;
  addKey(createdAt?: Date): Promise<string>;
  addAlert(more: Partial<Prisma.AlertUncheckedCreateInput>): Promise<string>;
  setSpend(pico: bigint, month: Date): Promise<void>;
  /** In the order in which they were written. */
  firings(): Promise<Firing[]>;
  /** Their periods, each without what is the same in all. */
  periods(same?: string): Promise<string[]>;
};

/** An organization of its own with a key that may spend ten dollars a month. */
export async function makeAlertsFixture(server: TestDatabase): Promise<AlertsFixture> {
  const { prisma } = server.database;
  await prisma.alert.deleteMany();
  const organizationId = (await prisma.organization.create({ data: { name: 'Example' } })).id;
  const addKey = async (createdAt = new Date(0)): Promise<string> => {
    const hash = new Uint8Array(Buffer.from(randomUUID().replaceAll('-', '')));
    const key = { organizationId, name: 'ci', hash, prefix: 'p', last4: 'l', monthlyLimitPico: 10e12, createdAt };
    return (await prisma.apiKey.create({ data: key })).id;
  };
  const keyId = await addKey();
  const firings = (): Promise<Firing[]> =>
    prisma.alertFiring.findMany({ where: { organizationId }, orderBy: [{ firedAt: 'asc' }, { period: 'asc' }] });
  return {
    ...{ server, organizationId, keyId, addKey, firings },
    addAlert: async (more) => {
      const none = new Uint8Array(1);
      const sealed = { nonce: none, ciphertext: none, tag: none, dataKeyId: randomUUID() };
      const about = { organizationId, scope: 'key', scopeId: keyId, url: 'https://example.com/hook', createdAt: new Date(0) };
      return (await prisma.alert.create({ data: { id: randomUUID(), ...about, ...sealed, ...more } })).id;
    },
    setSpend: async (pico, month) => {
      const at = { scope: 'key', scopeId: keyId, month };
      const data = { costPico: String(pico), requests: 1n, version: 1n };
      await prisma.spendMonth.upsert({ where: { scope_scopeId_month: at }, create: { ...at, ...data }, update: data });
    },
    periods: async (same = '') => (await firings()).map(({ period }) => period.replace(same, '')),
  };
}
