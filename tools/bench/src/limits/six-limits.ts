import type { KeyRecord } from '@weir/access';
import { limitDocument } from '@weir/contracts';
import {
  amountFor,
  bindRules,
  boundRequest,
  planLimits,
  planRules,
  readLimitRules,
  type BoundedRequest,
  type HoldStore,
  type PlannedLimit,
} from '@weir/limits';
import { createBuiltInCatalog, createPatternMatcher } from '@weir/model-catalog';
import { planAttempts } from '@weir/routing';

const TTL_MS = 90_000;
const PLENTY = 1_000_000_000_000;

/** A key of which each request is bound by six limits of five kinds: the key's month and these. */
const DOCUMENTS = [
  { scope: 'key', measure: 'requests', window: 'minute' },
  { scope: 'key', measure: 'tokens', window: 'minute' },
  { scope: 'group', measure: 'usd', window: 'day' },
  { scope: 'organization', measure: 'tokens', window: '24h' },
  { scope: 'end_user', measure: 'concurrent_requests' },
];

export type SixLimits = {
  /** What admission does for the limits of one request: plans, bounds the amounts, sets them aside. */
  admit(): Promise<void>;
  settle(): Promise<void>;
};

/** `key` needs a limit for its month and a group. */
export function bindSixLimits(store: HoldStore, key: KeyRecord): SixLimits {
  const bound = bindAll(key);
  const bounded = boundOnce();
  const policy = { isBalanceRequired: false };
  const month = planLimits(
    { ...key, groupLimits: null, organization: { ...key.organization, creditPico: null } },
    { atMs: Date.now(), isBilled: true },
    policy,
  );
  const joined = new WeakMap<readonly PlannedLimit[], readonly PlannedLimit[]>();
  const held: { holdId: string; scopes: readonly string[]; spent: readonly bigint[] }[] = [];
  const { organizationId } = key;
  let next = 0;
  const admit = async (): Promise<void> => {
    const planned = planRules(bound, { atMs: Date.now(), endUserId: 'u-1', isStream: true });
    let limits = joined.get(planned);
    if (limits === undefined) joined.set(planned, (limits = [...month, ...planned]));
    const amounts = limits.map((limit) => amountFor(limit, bounded));
    const request = { organizationId, holdId: `six-${(next += 1)}`, ttlMs: TTL_MS, limits, amounts, leasts: amounts };
    let answer = store.reserve(request);
    if (answer instanceof Promise) answer = await answer;
    if (answer.kind === 'unseeded') {
      const bases = answer.scopes.map((scope) => ({ scope, base: 0n, version: 0n }));
      await store.seed(organizationId, bases);
      return admit();
    }
    if (answer.kind !== 'held' || limits.length !== 6) throw new Error('not every limit was held');
    held.push({
      holdId: request.holdId,
      scopes: limits.map(({ scope }) => scope),
      spent: limits.map(({ rule }) => (rule?.window === null ? 0n : 1_000n)),
    });
  };
  return {
    admit,
    settle: async () => {
      const hold = held.pop();
      if (hold !== undefined) await store.settle({ organizationId, ...hold });
    },
  };
}

function bindAll(key: KeyRecord) {
  const rules = DOCUMENTS.map((document, index) => ({
    ...{ id: `00000000-0000-4000-8000-00000000000${index}`, name: 'a limit', version: 1, createdAtMs: 0 },
    document: limitDocument.parse({ ...document, amount: PLENTY }),
  }));
  const { attempts } = planned();
  return bindRules(readLimitRules(rules, { createMatcher: createPatternMatcher, timeZone: 'Europe/Berlin' }), {
    key,
    modality: 'chat',
    attempts,
  });
}

function planned() {
  return planAttempts('sandbox/chat', 'chat', { catalog: createBuiltInCatalog(), isRoutable: () => true });
}

/** What a request may use costs the same whatever limits there are: it is no part of the measurement. */
function boundOnce(): BoundedRequest {
  const prompt = { textTokens: 2_000, images: 0, isOpenEnded: false, isReadTwice: false, searches: 0, contextReads: 1 };
  const attempts = planned().attempts.map(({ prices }) => ({ prices, contextWindow: 128_000, maxOutputTokens: 4_096, isSearching: false }));
  return boundRequest({ modality: 'chat', prompt, asked: { tokens: 100, choices: 1 }, attempts });
}
