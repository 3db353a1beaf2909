import {
  createApiKeyDigest,
  createAuthenticator,
  createKeyCache,
  createModelGuard,
  readCredential,
  watchChanges,
  type ChangeLog,
  type ChangeNotices,
  type KeyDirectory,
  type OrganizationDirectory,
  type Principal,
} from '@weir/access';
import type { Modality } from '@weir/contracts';
import type { HotRoutes } from '@weir/http-server';
import type { FreeModelDays, HoldStore, HoldTruth, LimitPolicy, RateLimiter } from '@weir/limits';
import { createPatternMatcher, type ModelCatalog } from '@weir/model-catalog';
import type { ProviderDirectory } from '@weir/providers';
import type { Logger } from '@weir/telemetry';
import type { Express } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import { createLeaseBook } from './admit/holds/lease-book';
import { createRequestHolds, type HoldOutcome } from './admit/holds/request-holds';
import type { ForwardToService } from './forward/forward-in-process';
import { buildHotRoutes } from './http/build-hot-routes';
import { mountPages } from './pages/mount-pages';
import { mountOrganizationPages } from './pages/mount-organization-pages';

export type EdgeRouterParts = {
  readonly catalog: ModelCatalog;
  readonly providers: Pick<ProviderDirectory, 'find' | 'isConfigured' | 'known'>;
  readonly keyDirectory: KeyDirectory;
  readonly organizationDirectory: OrganizationDirectory;
  readonly changeLog: ChangeLog;
  readonly changeNotices: ChangeNotices;
  readonly rates: RateLimiter;
  readonly freeModelDays: FreeModelDays;
  readonly holds: HoldParts;
  readonly keyPepper: string;
  readonly forward: ForwardToService;
  readonly defaultChatModel: string;
  readonly bodyBytesMax: number;
  readonly requestTimeoutMs: number;
  readonly now: () => number;
  readonly log: Logger;
};

/** Where money is set aside for limited requests. */
export type HoldParts = {
  readonly store: HoldStore;
  readonly truth: HoldTruth;
  readonly policy: LimitPolicy;
  readonly ttlMs: number;
  /** Null where the store is in this process and cannot be away. Otherwise runs a call so that it rejects soon. */
  readonly circuit: (<Result>(call: () => Promise<Result>) => Promise<Result>) | null;
  readonly count: (outcome: HoldOutcome) => void;
};

export type EdgeRouter = {
  readonly hotRoutes: HotRoutes;
  mount(app: Express): void;
  /** For services in the same process, so that they share the key cache. */
  authenticate(request: { headers: IncomingHttpHeaders }): Promise<Principal>;
  /** Follows the change log from here on; answers how to stop. */
  start(): Promise<() => Promise<void>>;
};

/** Joins the edge's rooms. */
export function composeEdgeRouter(parts: EdgeRouterParts): EdgeRouter {
  const { catalog, providers, now, log } = parts;
  const cache = createKeyCache({ directory: parts.keyDirectory, now });
  const authenticator = createAuthenticator({ cache, digest: createApiKeyDigest(parts.keyPepper), now });
  const guard = createModelGuard(createPatternMatcher);
  const isRoutable = (providerId: string, modality: Modality): boolean =>
    providers.isConfigured(providerId) && providers.find(providerId)?.modalities.includes(modality) === true;
  const known = new Set(providers.known());
  const { ttlMs, circuit, ...holdParts } = parts.holds;
  const leases = circuit === null ? null : createLeaseBook({ store: holdParts.store, now: () => performance.now() });
  const holds = createRequestHolds({ ...holdParts, catalog, leases, circuit: circuit ?? ((call) => call()), holdTtlMs: ttlMs, now, log });
  const hotRoutes = buildHotRoutes(
    {
      authenticator,
      guard,
      map: { catalog, isRoutable },
      rates: parts.rates,
      holds,
      freeModelDays: parts.freeModelDays,
      now,
      defaultChatModel: parts.defaultChatModel,
      bodyBytesMax: parts.bodyBytesMax,
      deadlineMs: parts.requestTimeoutMs,
    },
    parts.forward,
  );
  return {
    hotRoutes,
    mount: (app) => {
      mountPages(app, { authenticator, guard, catalog, isKnown: (id) => known.has(id), isRoutable });
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
        onError: (error) => log.warn({ error }, 'the change log could not be read; trying again'),
      });
      return async () => {
        await stopWatching();
        await leases?.close();
      };
    },
  };
}
