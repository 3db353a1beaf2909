import { createChangeLog } from '@weir/database';
import { createMaker, type Maker } from './maker';
import { startManagement, type Envelope, type ManagementHarness, type Organization, type Reply } from './start-management';

export type ManagementSuite = {
  readonly harness: ManagementHarness;
  /** A new one for each test that `keepOurs` does not come before, with a key that may do everything. */
  readonly ours: Organization;
  readonly make: Maker;
  /** Sends as `ours`. */
  send(method: string, path: string, body?: unknown): Promise<Reply>;
  get(path: string): Promise<Envelope>;
  createKey(body?: object): Promise<{ id: string; secret: string }>;
  /** Whether the key opens anything. */
  works(key: string): Promise<boolean>;
  /** Another organization. */
  seedOther(): Promise<Organization>;
  /** Leaves `ours` to the test after this one: to be called by a test that has shown that it changed nothing of it. */
  keepOurs(): void;
  /** What `ours` has in the change log, oldest first. */
  changes(): Promise<string[]>;
};

/** Starts the interface before a suite's first test and gives every test an organization of its own. */
export function useManagement(options?: Parameters<typeof startManagement>[0]): ManagementSuite {
  let harness: ManagementHarness;
  let ours: Organization;
  let make: Maker;
  let count = 0;
  let isKept = false;
  const seedNext = (): Promise<Organization> => harness.seed(`organization-${(count += 1)}`);
  const send = (method: string, path: string, body?: unknown): Promise<Reply> =>
    harness.call(method, path, { key: ours.apiKey, ...(body === undefined ? {} : { body }) });

  beforeAll(async () => {
    harness = await startManagement(options);
  });
  beforeEach(async () => {
    harness.now = () => Date.now();
    const isOurs = isKept;
    isKept = false;
    if (isOurs) return;
    ours = await seedNext();
    make = createMaker(harness, ours);
  });
  afterAll(() => harness.stop());

  return {
    get harness() {
      return harness;
    },
    get ours() {
      return ours;
    },
    get make() {
      return make;
    },
    send,
    get: async (path) => (await send('GET', path)).json,
    createKey: async (body = {}) => {
      const { json } = await send('POST', '/v1/manage/apikey', { name: 'a key', ...body });
      return { id: String(json['api_key_id']), secret: String(json['api_key']) };
    },
    works: async (key) => (await harness.call('GET', '/v1/manage/apikey/self', { key })).status === 200,
    seedOther: seedNext,
    keepOurs: () => {
      isKept = true;
    },
    changes: async () => {
      const changes = await createChangeLog(harness.database.pool).changesAfter(0n);
      return changes.filter(({ organizationId }) => organizationId === ours.id).map(({ entity, entityId }) => `${entity} ${entityId}`);
    },
  };
}
