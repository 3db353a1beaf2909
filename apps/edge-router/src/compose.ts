import {
  createAuthenticator,
  createKeyCache,
  createModelGuard,
  digestApiKey,
  readCredential,
  watchChanges,
  type ChangeLog,
  type ChangeNotices,
  type KeyDirectory,
  type Principal,
} from '@weir/access';
import type { Modality } from '@weir/contracts';
import type { HotRoutes } from '@weir/http-server';
import { createPatternMatcher, type ModelCatalog } from '@weir/model-catalog';
import type { ProviderDirectory } from '@weir/providers';
import type { Logger } from '@weir/telemetry';
import type { Express } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import type { ForwardToService } from './forward/forward-in-process';
import { buildHotRoutes } from './http/build-hot-routes';
import { mountPages } from './pages/mount-pages';

export type EdgeRouterParts = {
  readonly catalog: ModelCatalog;
  readonly providers: Pick<ProviderDirectory, 'find' | 'isConfigured' | 'known'>;
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
  /** For services in the same process, so that they share the key cache. */
  authenticate(request: { headers: IncomingHttpHeaders }): Promise<Principal>;
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
  const known = new Set(providers.known());
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
    mount: (app) => mountPages(app, { authenticator, guard, catalog, isKnown: (id) => known.has(id), isRoutable }),
    authenticate: async (request) => authenticator.authenticate(readCredential(request.headers, 'bearer')),
    start: () =>
      watchChanges({
        changeLog: parts.changeLog,
        notices: parts.changeNotices,
        cache,
        onError: (error) => log.warn({ error }, 'the change log could not be read; trying again'),
      }),
  };
}
