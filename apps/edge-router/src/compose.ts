import {
  createAuthenticator,
  createKeyCache,
  createKeyDigests,
  createModelGuard,
  createOrganizationRulesCache,
  readCredential,
  watchChanges,
  type ChangeLog,
  type ChangeNotices,
  type DeploymentPlace,
  type KeyDirectory,
  type KeyLookup,
  type KeyPeppers,
  type OrganizationDirectory,
  type OrganizationRulesDirectory,
  type Principal,
  type ReplyCache,
} from '@weir/access';
import type { Modality } from '@weir/contracts';
import type { IdempotencyRecords } from '@weir/database';
import type { FormReceiver, HotRoutes, UpgradeHandler } from '@weir/http-server';
import type { FreeModelDays, HoldStore, HoldTruth, LimitPolicy, RateLimiter } from '@weir/limits';
import { createPatternMatcher, readManagedPolicies, type ModelCatalog } from '@weir/model-catalog';
import type { ProviderDirectory } from '@weir/providers';
import type { AccountMap, RouteHealth, RoutingMap } from '@weir/routing';
import type { Logger } from '@weir/telemetry';
import type { GenerationReader } from '@weir/usage';
import type { Express } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import { createLeaseBook, type LeaseBook } from './admit/holds/lease-book';
import { createRequestHolds, type HoldOutcome, type RequestHolds } from './admit/holds/request-holds';
import { createPreparedCalls } from './admit/prepared-calls';
import { createRefusalLog } from './refusals/create-refusal-log';
import type { RefusalStore } from '@weir/database';
import type { ContentKeeper } from './contents/create-content-keeper';
import { createDataGuard } from './data-rules/data-guard';
import type { ForwardToService } from './forward/forward-in-process';
import { buildHotRoutes } from './http/build-hot-routes';
import { createOwnKeys, type OwnKeysParts } from './own-keys/create-own-keys';
import { mountLimitsPage } from './limits/mount-limits-page';
import { mountGenerationList, mountGenerationPage } from './pages/mount-generation-page';
import { mountPages } from './pages/mount-pages';
import { mountOrganizationPages } from './pages/mount-organization-pages';
import { createReachModels } from './pages/reach-models';
import { mountPlanPage } from './plan/mount-plan-page';
import { createIdempotentResponses } from './replay/idempotent-responses';
import { createReplays, type ReplayKind, type Replays } from './replay/replays';
import { createResponseCache } from './replay/response-cache';
import { createResponsesSocket } from './websocket/create-responses-socket';

export type EdgeRouterParts = {
  readonly catalog: ModelCatalog;
  readonly providers: Pick<ProviderDirectory, 'find' | 'isConfigured' | 'settingsOf'>;
  /** The gateway's accounts at them; absent: one key each. */
  readonly accounts?: AccountMap | undefined;
  readonly keyDirectory: KeyDirectory & KeyLookup;
  readonly organizationDirectory: OrganizationDirectory;
  readonly organizationRules: OrganizationRulesDirectory;
  readonly ownKeys: OwnKeysParts;
  readonly place: DeploymentPlace;
  readonly replays: ReplayParts;
  /** Keeps contents of requests, for organizations that want it. */
  readonly contents: ContentKeeper;
  /** What is known of providers; absent: nothing. */
  readonly health?: RouteHealth;
  /** What became of single requests. */
  readonly generations: GenerationReader;
  /** Keeps refusals for people to look at. */
  readonly refusals: RefusalStore;
  readonly changeLog: ChangeLog;
  readonly changeNotices: ChangeNotices;
  readonly rates: RateLimiter;
  readonly freeModelDays: FreeModelDays;
  readonly holds: HoldParts;
  /** Throws where another process may count limits in place of this one; absent: none can. */
  readonly checkCounters?: (() => void) | undefined;
  readonly keyPeppers: KeyPeppers;
  readonly forward: ForwardToService;
  readonly defaultChatModel: string;
  /** Browsers that ask for the root are sent to the console. */
  readonly hasConsole?: boolean;
  readonly bodyBytesMax: number;
  readonly forms: FormReceiver;
  readonly fileLinkSecret: string;
  readonly requestTimeoutMs: number;
  readonly now: () => number;
  readonly log: Logger;
};

/** Where earlier responses are kept. */
type ReplayParts = {
  readonly records: IdempotencyRecords;
  readonly cache: ReplyCache;
  readonly count: (kind: ReplayKind) => void;
};

/** Where money is set aside for limited requests. */
type HoldParts = {
  readonly store: HoldStore;
  readonly truth: HoldTruth;
  readonly policy: LimitPolicy;
  readonly ttlMs: number;
  /** Null where the store is in this process and cannot be away. Otherwise runs a call so that it rejects soon. */
  readonly circuit: (<Result>(call: () => Promise<Result>, about?: string) => Promise<Result>) | null;
  readonly count: (outcome: HoldOutcome) => void;
};

export type EdgeRouter = {
  readonly hotRoutes: HotRoutes;
  readonly upgrades: UpgradeHandler;
  mount(app: Express): void;
  /** For services in the same process, so that they share the key cache. */
  authenticate(request: { headers: IncomingHttpHeaders }): Promise<Principal>;
  /** Follows the change log from here on; returns how to stop. */
  start(): Promise<() => Promise<void>>;
};

/** Joins the parts of the edge. */
export function composeEdgeRouter(parts: EdgeRouterParts): EdgeRouter {
  const { catalog, now, log } = parts;
  const cache = createKeyCache({ directory: parts.keyDirectory, now });
  const rules = createOrganizationRulesCache({ directory: parts.organizationRules, now });
  const authenticator = createAuthenticator({ cache, digest: createKeyDigests(parts.keyPeppers), now });
  const guard = createModelGuard(createPatternMatcher);
  const { holds, leases } = composeHolds(parts);
  const dataGuard = createDataGuard({ catalog, place: parts.place, accounts: parts.accounts });
  const ownKeys = createOwnKeys(parts.ownKeys);
  const policies = readManagedPolicies();
  const map = composeMap(parts, new Map(policies.map(({ name, document }) => [name, document])));
  const ruling = { guard, rules, dataGuard, ownKeys, map };
  const deciding = { ...ruling, holds, freeModelDays: parts.freeModelDays, now, defaultChatModel: parts.defaultChatModel };
  const refusals = createRefusalLog({ store: parts.refusals, now, log });
  const hotRoutes = buildHotRoutes(
    {
      ...deciding,
      authenticator,
      calls: createPreparedCalls(ruling),
      replays: composeReplays(parts),
      ...{ contents: parts.contents, refusals },
      ...{ rates: parts.rates, checkCounters: parts.checkCounters },
      bodyBytesMax: parts.bodyBytesMax,
      forms: parts.forms,
      fileLinkSecret: parts.fileLinkSecret,
      deadlineMs: parts.requestTimeoutMs,
    },
    parts.forward,
  );
  return {
    hotRoutes,
    upgrades: createResponsesSocket({ authenticator, bodyBytesMax: parts.bodyBytesMax }),
    mount: (app) => {
      mountPages(app, {
        authenticator,
        guard,
        catalog,
        managed: policies,
        hasConsole: parts.hasConsole === true,
        reach: createReachModels({ map, rules, ownKeys, dataGuard }),
      });
      mountPlanPage(app, {
        ...{ authenticator, keys: parts.keyDirectory, deciding, health: parts.health, bodyBytesMax: parts.bodyBytesMax },
      });
      mountLimitsPage(app, { authenticator, keys: parts.keyDirectory, deciding, stores: parts.holds, policy: parts.holds.policy });
      mountGenerationList(app, { authenticator, generations: parts.generations });
      mountGenerationPage(app, { authenticator, generations: parts.generations, catalog });
      mountOrganizationPages(app, {
        authenticator,
        organizationDirectory: parts.organizationDirectory,
        defaultChatModel: parts.defaultChatModel,
      });
    },
    authenticate: async (request) => authenticator.authenticate(readCredential(request.headers, 'bearer')),
    start: async () => {
      const stopWatching = await watchChanges({
        changeLog: parts.changeLog,
        notices: parts.changeNotices,
        cache,
        rules,
        onError: (error) => log.warn({ error }, 'the change log could not be read; trying again'),
      });
      return async () => {
        await stopWatching();
        await leases?.close();
        await Promise.all([parts.contents.close(), refusals.close()]);
      };
    },
  };
}

function composeMap({ catalog, providers, accounts, health }: EdgeRouterParts, managed: NonNullable<RoutingMap['managed']>): RoutingMap {
  const isRoutable = (providerId: string, modality: Modality): boolean =>
    providers.isConfigured(providerId) && providers.find(providerId)?.modalities.includes(modality) === true;
  return { catalog, isRoutable, managed, health, accounts, settingsOf: (providerId) => providers.settingsOf(providerId) };
}

/** `leases` is null where counters cannot be away. */
function composeHolds({ holds, catalog, now, log }: EdgeRouterParts): { holds: RequestHolds; leases: LeaseBook | null } {
  const { ttlMs, circuit, ...parts } = holds;
  const leases = circuit === null ? null : createLeaseBook({ store: parts.store, now: () => performance.now() });
  return { leases, holds: createRequestHolds({ ...parts, catalog, leases, circuit, holdTtlMs: ttlMs, now, log }) };
}

/** A response of an image or two fits in; what is larger is not kept. */
const RESPONSE_BYTES_MAX = 4 * 1024 * 1024;
const CACHED_RESPONSE_BYTES_MAX = 1024 * 1024;

function composeReplays({ replays, keyPeppers, log }: EdgeRouterParts): Replays {
  // As long as there is one before, processes may be running that know no other.
  const pepper = keyPeppers.previous ?? keyPeppers.current;
  return createReplays({
    idempotent: createIdempotentResponses({ records: replays.records, pepper, log, responseBytesMax: RESPONSE_BYTES_MAX }),
    cache: createResponseCache({ store: replays.cache, pepper, log, responseBytesMax: CACHED_RESPONSE_BYTES_MAX }),
    count: replays.count,
  });
}
