import { createAuthenticator, createKeyCache, createModelGuard, digestApiKey, watchChanges, type ChangeLog, type ChangeNotices, type KeyDirectory } from '@weir/access';
import type { Modality } from '@weir/contracts';
import type { HotRoutes } from '@weir/http-server';
import { createPatternMatcher, type ModelCatalog } from '@weir/model-catalog';
import type { ProviderDirectory } from '@weir/providers';
import type { Logger } from '@weir/telemetry';
import type { Express } from 'express';
import type { ForwardToService } from './forward/forward-in-process';
import { buildHotRoutes } from './http/build-hot-routes';
import { mountPages } from './pages/mount-pages';

export type EdgeRouterParts = {
  readonly catalog: ModelCatalog;
  readonly providers: Pick<ProviderDirectory, 'find' | 'isConfigured'>;
  readonly keyDirectory: KeyDirectory;
  readonly changeLog: ChangeLog;
  readonly changeNotices: ChangeNotices;
  readonly keyPepper: string;
  readonly forward: ForwardToService;
  readonly defaultChatModel: string;
  readonly bodyBytesMax: number;
  readonly requestTimeoutMs: number;
  readonly now: () => number;
  readonly log: Logger;
};

export type EdgeRouter = {
  readonly hotRoutes: HotRoutes;
  mount(app: Express): void;
  /** Follows the change log from here on; answers how to stop. */
  start(): Promise<() => Promise<void>>;
};

/** Joins the edge's rooms. */
export function composeEdgeRouter(parts: EdgeRouterParts): EdgeRouter {
  const { catalog, providers, now, log } = parts;
  const cache = createKeyCache({ directory: parts.keyDirectory, now });
  const authenticator = createAuthenticator({ cache, digest: (key) => digestApiKey(key, parts.keyPepper), now });
  const guard = createModelGuard(createPatternMatcher);
  const isRoutable = (providerId: string, modality: Modality): boolean =>
    providers.isConfigured(providerId) && providers.find(providerId)?.modalities.includes(modality) === true;
  const hotRoutes = buildHotRoutes(
    {
      authenticator,
      guard,
      map: { catalog, isRoutable },
      defaultChatModel: parts.defaultChatModel,
      bodyBytesMax: parts.bodyBytesMax,
      deadlineMs: parts.requestTimeoutMs,
    },
    parts.forward,
  );
  return {
    hotRoutes,
    mount: (app) => mountPages(app, { authenticator, guard, catalog, isKnown: (id) => providers.find(id) !== undefined, isRoutable }),
    start: () =>
      watchChanges({
        changeLog: parts.changeLog,
        notices: parts.changeNotices,
        cache,
        onError: (error) => log.warn({ error }, 'the change log could not be read; trying again'),
      }),
  };
}
