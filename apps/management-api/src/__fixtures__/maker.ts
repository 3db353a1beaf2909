import { createDataKeyStore, keepContents } from '@weir/database';
import { createKeyRing, createVault } from '@weir/sealing';
import { randomUUID } from 'node:crypto';
import { monthAfter } from '../finance/closed-months';
import { SEALING_KEY } from './start-management';
import type { ManagementHarness, Organization, Reply } from './start-management';

/** What a case may need to exist, made through the interface itself. */
export type Maker = {
  key(body?: object): Promise<string>;
  group(body?: object): Promise<string>;
  /** One that was revoked. */
  revokedKey(): Promise<string>;
  list(): Promise<string>;
  alert(body?: object): Promise<string>;
  member(body?: object): Promise<string>;
  /** A group and a member of it. */
  groupMember(): Promise<{ group: string; member: string }>;
  credential(body?: object): Promise<string>;
  /** Returns its name. */
  policy(body?: object): Promise<string>;
  /** Returns its name. */
  alias(body?: object): Promise<string>;
  guardrail(body?: object): Promise<string>;
  limit(body?: object): Promise<string>;
  configuration(document: object): Promise<void>;
  /** A request of the organization's first key, of which contents are kept; or of another one. */
  keptRequest(of?: { apiKeyId: string; userId: string | null }): Promise<string>;
  invoice(body?: object): Promise<string>;
  /** A month that may be closed next, with nothing in it. */
  monthToClose(): Promise<string>;
  closedMonth(): Promise<{ month: string }>;
  /** Makes the organization the operator's own. */
  operator(): Promise<void>;
  /** A name that nothing of the organization has. */
  name(): string;
};

/** Some chat model of the catalogue. */
export const CHAT_MODEL = 'sandbox/chat';

export function createMaker(harness: ManagementHarness, { apiKey, ...seeded }: Organization): Maker {
  let count = 0;
  const post = async (path: string, body: object): Promise<Reply> => {
    const reply = await harness.call('POST', path, { key: apiKey, body });
    if (reply.status > 201) throw new Error(`${path} answered ${reply.status}: ${reply.text}`);
    return reply;
  };
  const unique = (word: string): string => `${word} ${(count += 1)}`;
  const maker: Maker = {
    key: async (body = {}) => String((await post('/v1/manage/apikey', { name: unique('key'), ...body })).json['api_key_id']),
    group: async (body = {}) =>
      String((await post('/v1/manage/group', { name: unique('group'), monthly_limit: 10, ...body })).json['group_id']),
    revokedKey: async () => {
      const id = await maker.key();
      await harness.call('DELETE', `/v1/manage/apikey/${id}`, { key: apiKey });
      return id;
    },
    list: async () => String((await post('/v1/manage/access-list', { name: unique('list'), chat: ['a/b'] })).json['id']),
    alert: async (body: object = { scope: 'balance' }) =>
      String((await post('/v1/manage/alert', { amount: 5, url: 'https://example.com/hook', ...body })).json['id']),
    member: async (body = {}) => {
      const email = `${unique('person').replace(' ', '')}@${apiKey.slice(-6)}.example`;
      return String((await post('/v1/manage/org/member', { email, ...body })).json['member']['user_id']);
    },
    groupMember: async () => {
      const [group, member] = [await maker.group(), await maker.member()];
      await post(`/v1/manage/group/${group}/member`, { user_id: member, role: 'member' });
      return { group, member };
    },
    credential: async (body = {}) =>
      String(
        (
          await post('/v1/manage/provider-credential', {
            provider: 'plain',
            name: maker.name(),
            api_key: `own-key-of-${maker.name()}`,
            ...body,
          })
        ).json['id'],
      ),
    policy: async (body = {}) => {
      const name = maker.name();
      await post('/v1/manage/policy', { name, strategy: 'fallback', models: [CHAT_MODEL], ...body });
      return name;
    },
    alias: async (body = {}) => {
      const name = maker.name();
      await post('/v1/manage/alias', { name, model: CHAT_MODEL, ...body });
      return name;
    },
    guardrail: async (body = {}) =>
      String((await post('/v1/manage/guardrail', { name: maker.name(), detectors: ['email'], action: 'flag', ...body })).json['id']),
    limit: async (body = {}) =>
      String(
        (await post('/v1/manage/limit', { name: maker.name(), scope: 'key', measure: 'requests', window: 'day', amount: 5, ...body })).json[
          'id'
        ],
      ),
    configuration: async (document) => {
      const reply = await harness.call('PUT', '/v1/manage/configuration', { key: apiKey, body: document });
      if (reply.status !== 200) throw new Error(`the configuration was answered with ${reply.status}: ${reply.text}`);
    },
    keptRequest: async ({ apiKeyId, userId } = seeded) => {
      const { pool } = harness.database;
      const vault = createVault({ keyRing: createKeyRing(SEALING_KEY), store: createDataKeyStore(pool) });
      await harness.call('PATCH', '/v1/manage/org', { key: apiKey, body: { keep_contents_days: 7 } });
      const requestId = randomUUID();
      const contents = {
        request: { body: '{"model":"sandbox/chat"}', isCut: false },
        response: { body: '{"id":"1"}', isCut: false, status: 200, contentType: 'application/json' },
      };
      const about = { organizationId: seeded.id, requestId, apiKeyId, userId };
      await keepContents({ pool, vault }, [{ ...about, receivedAtMs: harness.now(), days: 7, contents }]);
      return requestId;
    },
    invoice: async (body = {}) => {
      const parties = { seller: { name: 'Seller' }, buyer: { name: 'Buyer' } };
      const document = { month: '2026-01', recipient: { kind: 'organization' }, series: `S${(count += 1)}`, ...parties, ...body };
      return String(((await post('/v1/manage/invoice', document)).json['invoice'] as { id: string }).id);
    },
    monthToClose: async () => {
      const where = { organizationId: seeded.id, reopenedAt: null };
      const last = await harness.database.prisma.monthClose.findFirst({ where, orderBy: { month: 'desc' } });
      return last === null ? '2026-01' : monthAfter(last.month);
    },
    closedMonth: async () => {
      const month = await maker.monthToClose();
      await post('/v1/manage/org/month-close', { month });
      return { month };
    },
    operator: async () =>
      void (await harness.database.prisma.organization.update({ where: { id: seeded.id }, data: { isOperator: true } })),
    name: () => `${unique('rule').replace(' ', '-')}-${apiKey.slice(-6)}`,
  };
  return maker;
}
