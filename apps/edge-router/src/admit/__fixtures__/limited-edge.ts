import { createModelGuard, type KeyRecord, type OrganizationRule, type OrganizationRules, type Principal } from '@weir/access';
import { getEndpoint, type LimitDocument } from '@weir/contracts';
import type { GatewayError } from '@weir/errors';
import { createMemoryHoldStore, HoldsUnavailableError, type HoldStore } from '@weir/limits';
import { createCatalog, createPatternMatcher } from '@weir/model-catalog';
import { makeKeyRecord } from '@weir/testing';
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { createDataGuard } from '../../data-rules/data-guard';
import type { InboundRequest } from '../../request/inbound-request';
import { admitRequest, type AdmissionParts } from '../admit-request';
import type { Admission } from '../admission';
import { createRequestHolds, type HoldOutcome } from '../holds/request-holds';
import { createPreparedCalls } from '../prepared-calls';

export const AT = Date.UTC(2026, 10, 24, 10, 30, 15);
const catalog = createCatalog(undefined);

type Setting = {
  readonly limits: readonly OrganizationRule[];
  readonly policies?: readonly OrganizationRule[];
  readonly key?: Partial<KeyRecord>;
  readonly organization?: Partial<KeyRecord['organization']>;
  /** The counters cannot be reached. */
  readonly isAway?: boolean;
};

type Asked = {
  readonly endpoint?: Parameters<typeof getEndpoint>[0];
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: IncomingHttpHeaders;
};

type Answer = { readonly admission: Admission | null; readonly refusal: GatewayError | null; readonly headers: Record<string, string> };

let made = 0;

/** A limit of an organization, as its rules have it. */
export function makeLimit(name: string, document: Partial<LimitDocument>): OrganizationRule {
  const id = `00000000-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`;
  const whole = { scope: 'organization', measure: 'requests', window: 'minute', amount: '1', action: 'refuse', ...document };
  return { id, name, version: 1, document: whole, createdAtMs: 0 };
}

type State = {
  /** What every clock shows: a test may move it. */
  atMs: number;
  readonly isAway: boolean;
  readonly bases: Map<string, bigint>;
  readonly outcomes: HoldOutcome[];
};

function openStore(state: State): HoldStore {
  const memory = createMemoryHoldStore({ now: () => state.atMs });
  const orAway = <Result>(call: () => Promise<Result>): Promise<Result> =>
    state.isAway ? Promise.reject(new HoldsUnavailableError('away')) : call();
  return {
    ...memory,
    reserve: (request) => (state.isAway ? Promise.reject(new HoldsUnavailableError('away')) : memory.reserve(request)),
    readTaken: (...asked) => orAway(() => memory.readTaken(...asked)),
    readScope: (...asked) => orAway(() => memory.readScope(...asked)),
  };
}

/** The admission of an edge whose counters are in memory, for one key of an organization with these limits. */
export function openLimitedEdge({ limits, policies = [], key, organization, isAway = false }: Setting) {
  const rules: OrganizationRules = { policies, aliases: [], guardrails: [], limits, credentials: [] };
  const principal = { key: makeKeyRecord(key, organization) } as Principal;
  const state: State = { atMs: AT, isAway, bases: new Map(), outcomes: [] };
  const store = openStore(state);
  const truth = {
    readBases: (_organization: string, scopes: readonly string[]) =>
      Promise.resolve(scopes.map((scope) => ({ scope, base: state.bases.get(scope) ?? 0n, version: 1n }))),
    findCommitted: () => Promise.resolve(new Set<string>()),
  };
  const policy = { isBalanceRequired: false };
  const holds = createRequestHolds({
    ...{ store, truth, catalog, policy, circuit: isAway ? (call) => call() : null, leases: null, holdTtlMs: 90_000 },
    count: (outcome) => state.outcomes.push(outcome),
    now: () => state.atMs,
    log: { warn: () => undefined },
  });
  const ruling = {
    rules: { find: () => rules },
    ownKeys: { find: () => [] },
    dataGuard: createDataGuard({ catalog, place: { region: null, addresses: {} } }),
    map: { catalog, isRoutable: () => true },
    guard: createModelGuard(createPatternMatcher),
  };
  const parts = {
    ...ruling,
    holds,
    authenticator: { authenticate: () => principal },
    calls: createPreparedCalls(ruling),
    replays: { concern: () => false },
    contents: { keep: () => undefined },
    rates: { take: () => Promise.reject(new Error('no member has a rate')) },
    freeModelDays: { keptMs: 90_000, take: () => Promise.resolve({ isAllowed: true, used: 1 }), readUsed: () => Promise.resolve(7) },
    ...{ defaultChatModel: 'sandbox/chat', fileLinkSecret: 's', deadlineMs: 60_000, bodyBytesMax: 1_000_000, now: () => state.atMs },
  } as unknown as AdmissionParts;
  return { admit: (asked: Asked) => admit(asked, parts), parts, principal, policy, store, truth, state };
}

async function admit({ endpoint = 'chat-completions', body, headers = {} }: Asked, parts: AdmissionParts): Promise<Answer> {
  const shown: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => void (shown[name] = value),
    getHeader: (name: string) => shown[name],
  };
  const request = Object.assign(Readable.from([Buffer.from(JSON.stringify(body))]), {
    headers: { 'content-type': 'application/json', ...headers },
  });
  const scope = { id: `r${(made += 1)}`, startedAtMs: parts.now(), startedMonotonicMs: 0, endpoint: getEndpoint(endpoint), notes: {} };
  try {
    const admission = await new Promise<Admission>((resolve, reject) => {
      const inbound = { request, response, scope, fail: reject } as unknown as InboundRequest;
      const use = (admitted: Admission): undefined => void resolve(admitted);
      admitRequest(inbound, parts, use)?.catch(reject);
    });
    return { admission, refusal: null, headers: shown };
  } catch (refusal) {
    return { admission: null, refusal: refusal as GatewayError, headers: shown };
  }
}
