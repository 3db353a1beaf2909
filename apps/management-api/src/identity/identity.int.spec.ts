import { createMemoryChangeNotices, digestApiKey } from '@weir/access';
import { identityEnv } from '@weir/config';
import { createDatabase, createKeyDirectory, SILENT_LOG, type Database } from '@weir/database';
import { getPostgres, type RealPostgres } from '@weir/testing';
import express from 'express';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ManagementParts } from '../route/management-parts';
import { createIdentityProvider } from './create-identity-provider';
import { cancelOffboarding, finishOffboarding, planOffboarding, resumeOffboardings } from './finish-offboarding';
import type { IdentityProvider, Membership, SignedInPerson } from '../ports/identity-provider';
import { serveSession } from '../sessions/serve-session';
import { signIn } from './sign-in';
import { startUpkeep } from './start-upkeep';

jest.setTimeout(60_000);

const PEPPER = 'pepper of the tests';

let postgres: RealPostgres;
let database: Database;
let parts: ManagementParts;
let reported: string[];
let isDown: boolean;
let duringRemoval: () => Promise<unknown>;
let count = 0;

beforeAll(async () => {
  postgres = await getPostgres();
  database = createDatabase({ url: await postgres.createDatabase() });
});
beforeEach(async () => {
  await database.prisma.offboardJob.deleteMany();
  reported = [];
  isDown = false;
  duringRemoval = () => Promise.resolve();
  const say = (what: string): void => {
    if (isDown) throw new Error('down');
    reported.push(what);
  };
  const identityProvider: IdentityProvider = {
    addMember: ({ email, subject }) =>
      Promise.resolve().then(() => {
        say(`add ${email}`);
        return { subject: subject ?? `subject of ${email}` };
      }),
    removeMember: async ({ email }: Membership) => {
      await duringRemoval();
      say(`remove ${email}`);
    },
    readSession: (token) => {
      if (isDown) return Promise.reject(new Error('down'));
      return Promise.resolve(token === 'a session' ? person({ subject: 'of the session', email: 'session@x.example' }) : undefined);
    },
  };
  parts = {
    database,
    peppers: { current: PEPPER },
    changeNotices: createMemoryChangeNotices(),
    now: Date.now,
    log: SILENT_LOG,
    identityProvider,
  } as unknown as ManagementParts;
});
afterAll(async () => {
  await database.close();
  await postgres.stop();
});

function person(changes: Partial<SignedInPerson> = {}): SignedInPerson {
  count += 1;
  return {
    subject: `subject ${count}`,
    email: `person${count}@x.example`,
    isEmailVerified: true,
    firstName: 'Ann',
    lastName: 'Smith',
    ...changes,
  };
}

/** A member of an organization of somebody else. */
async function createMember(): Promise<{ organizationId: string; userId: string; email: string }> {
  count += 1;
  const email = `member${count}@x.example`;
  const organization = await database.prisma.organization.create({ data: { name: 'Theirs' } });
  const user = await database.prisma.userAccount.create({ data: { email } });
  await database.prisma.orgMember.create({ data: { organizationId: organization.id, userId: user.id } });
  return { organizationId: organization.id, userId: user.id, email };
}

async function planFor(key: { organizationId: string; userId: string }): Promise<void> {
  const { organizationId, userId } = key;
  const where = { organizationId_userId: { organizationId, userId } };
  const membership = await database.prisma.orgMember.update({ where, data: { status: 'offboarded' }, include: { user: true } });
  await database.prisma.$transaction((tx) => planOffboarding(tx, membership));
}

const makeDue = (): Promise<unknown> => database.pool.query(`UPDATE offboard_job SET next_try_at = now() - interval '1 second'`);

describe('a sign-in', () => {
  it('makes an organization for a person without one, with a key to it, and adds the membership at the identity provider', async () => {
    const ann = person();

    const { user, memberships, created } = await signIn(parts, ann);

    expect(user).toMatchObject({ email: ann.email, firstName: 'Ann', idpSubject: ann.subject });
    expect(memberships).toMatchObject([
      { role: 'owner', organization: { id: created?.organizationId, name: `Organization of ${ann.email}` } },
    ]);
    const key = await createKeyDirectory(database.pool).findByDigest(digestApiKey(created?.apiKey ?? '', PEPPER));
    expect(key).toMatchObject({ organizationId: created?.organizationId, userId: user.id, permissions: { manage: 'write' } });
    expect(reported).toEqual([`add ${ann.email}`]);
    expect(await database.prisma.auditLog.findMany({ where: { organizationId: created?.organizationId ?? '' } })).toMatchObject([
      { action: 'sign-in', actorKind: 'user', actorId: user.id },
    ]);
  });

  it('makes one of many that come at once', async () => {
    const ann = person();

    const outcomes = await Promise.all(Array.from({ length: 5 }, () => signIn(parts, ann)));

    expect(outcomes.filter(({ created }) => created !== null)).toHaveLength(1);
    expect(new Set(outcomes.flatMap(({ memberships }) => memberships.map(({ organizationId }) => organizationId))).size).toBe(1);
  });

  it('makes none for a member; a new one once the last membership is gone, and the account stays the same', async () => {
    const { organizationId, userId, email } = await createMember();
    const ann = person({ email });

    const before = await signIn(parts, ann);
    expect([before.user.id, before.created, before.memberships.map((one) => one.organizationId)]).toEqual([userId, null, [organizationId]]);
    await planFor({ organizationId, userId });

    const after = await signIn(parts, ann);
    expect(after.user.id).toBe(userId);
    expect(after.memberships.map((one) => one.organizationId)).toEqual([after.created?.organizationId]);
    expect(after.created?.organizationId).not.toBe(organizationId);
    expect((await signIn(parts, ann)).created).toBeNull();
  });

  it.each([
    ['an address that is not proven', { isEmailVerified: false }, null],
    ['an address that is somebody else’s', {}, 'another subject'],
  ])('opens no account by %s', async (_, changes, subject) => {
    const { userId, email } = await createMember();
    await database.prisma.userAccount.update({
      where: { id: userId },
      data: { idpSubject: subject === null ? null : `${subject} ${userId}` },
    });

    await expect(signIn(parts, person({ email, ...changes }))).rejects.toMatchObject({ code: 'permission_denied' });
  });
});

describe('POST /v1/session', () => {
  let server: Server;
  beforeAll(async () => {
    server = express()
      .post('/v1/session', (request, response, next) => serveSession(parts, () => 'a request')(request, response, next))
      .listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  async function post(token?: string, body?: object): Promise<{ status: number; json: Record<string, unknown> }> {
    const headers: Record<string, string> = {
      connection: 'close',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/session`, {
      ...{ method: 'POST', headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, json: (await reply.json()) as Record<string, unknown> };
  }

  it('returns 201 with the first key, then 200 without', async () => {
    const [first, second] = [await post('a session'), await post('a session')];

    expect([first.status, second.status]).toEqual([201, 200]);
    const organizations = [{ id: expect.any(String) as string, name: 'Organization of session@x.example', role: 'owner' }];
    const user = { user_id: expect.any(String) as string, user_email: 'session@x.example', first_name: 'Ann', last_name: 'Smith' };
    expect(first.json).toEqual({
      user,
      organizations,
      created: {
        organization_id: expect.any(String) as string,
        api_key_id: expect.any(String) as string,
        api_key: expect.stringMatching(/^weir_live_/) as string,
      },
      session: null,
    });
    expect(second.json).toEqual({ user, organizations, created: null, session: null });
  });

  it('returns 201 with the first key, and no session, to a person that asks for a session of an organization they left', async () => {
    const first = await post('a session');
    const [left] = first.json['organizations'] as { id: string }[];
    await database.prisma.orgMember.updateMany({ where: { organizationId: left?.id ?? '' }, data: { status: 'offboarded' } });

    const { status, json } = await post('a session', { organization_id: left?.id });
    expect([status, json['session']]).toEqual([201, null]);
    expect(json['created']).toMatchObject({ api_key: expect.stringMatching(/^weir_live_/) as string });
    expect((json['created'] as Record<string, unknown>)['organization_id']).not.toBe(left?.id);
    expect((await post('a session', { organization_id: left?.id })).status).toBe(404);
  });

  it('is 401 without a token, 403 with one of no one, 502 when the identity provider is down', async () => {
    const unasked = [await post(), await post('nonsense')];
    isDown = true;

    expect([...unasked, await post('a session')].map(({ status }) => status)).toEqual([401, 403, 502]);
  });
});

describe('an offboarding that did not end', () => {
  it('is taken up again without a call, once, and not while the call may still be at it', async () => {
    const member = await createMember();
    await planFor(member);

    expect(await resumeOffboardings(parts)).toBe(0);
    await makeDue();
    const finished = await Promise.all([resumeOffboardings(parts), resumeOffboardings(parts)]);

    expect(finished.sort()).toEqual([0, 1]);
    expect(reported).toEqual([`remove ${member.email}`]);
    await makeDue();
    expect(await resumeOffboardings(parts)).toBe(0);
  });

  it('waits longer after each failure', async () => {
    const member = await createMember();
    await planFor(member);
    isDown = true;
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const startedAt = Date.now();
      await expect(finishOffboarding(parts, member)).rejects.toMatchObject({ code: 'provider_failed', status: 502 });
      const { organizationId, userId } = member;
      const job = await database.prisma.offboardJob.findUniqueOrThrow({ where: { organizationId_userId: { organizationId, userId } } });
      pauses.push(Math.round((job.nextTryAt.getTime() - startedAt) / 60_000));
    }
    expect(pauses).toEqual([1, 2, 4]);

    isDown = false;
    await makeDue();
    expect(await resumeOffboardings(parts)).toBe(1);
  });

  it('is done by the service itself from its start on', async () => {
    const member = await createMember();
    await planFor(member);
    await makeDue();
    const done = new Promise<void>((resolve) => {
      duringRemoval = () => Promise.resolve(resolve());
    });

    const stop = startUpkeep(parts);
    await done;
    await stop();

    expect(reported).toEqual([`remove ${member.email}`]);
  });

  it('does not take out a person who was added again, neither before it began nor while it ran', async () => {
    const [early, late] = [await createMember(), await createMember()];
    const comeBack = async ({ organizationId, userId }: { organizationId: string; userId: string }): Promise<void> => {
      await database.prisma.orgMember.update({ where: { organizationId_userId: { organizationId, userId } }, data: { status: 'active' } });
      await database.prisma.$transaction((tx) => cancelOffboarding(tx, { organizationId, userId }));
    };
    await planFor(early);
    await comeBack(early);
    await finishOffboarding(parts, early);
    expect(reported).toEqual([]);

    await planFor(late);
    duringRemoval = () => comeBack(late);
    await finishOffboarding(parts, late);
    expect(reported).toEqual([`remove ${late.email}`, `add ${late.email}`]);
  });
});

describe('the settings', () => {
  it('ask for no Keycloak, or for a whole one', async () => {
    const local = createIdentityProvider(identityEnv.parse({}));
    expect([local.readSession, await local.addMember({} as never)]).toEqual([undefined, { subject: null }]);
    expect(() => createIdentityProvider(identityEnv.parse({ KEYCLOAK_URL: 'http://127.0.0.1:1' }))).toThrow('KEYCLOAK_REALM');
    const whole = { KEYCLOAK_URL: 'http://127.0.0.1:1', KEYCLOAK_REALM: 'r', KEYCLOAK_CLIENT_ID: 'c', KEYCLOAK_CLIENT_SECRET: 's' };
    expect(createIdentityProvider(identityEnv.parse(whole)).readSession).toBeDefined();
  });
});
