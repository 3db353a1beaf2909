import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent, Outlet, redirect } from '@tanstack/react-router';
import { toApiError } from './api/api-error';
import { onSessionEnd } from './api/client';
import { queryClient } from './api/query-client';
import { readSignInOptions, sessionQuery, type Session } from './api/session';
import { LoadingState } from './design/states/states';
import { TipRegion } from './design/overlay/tip-region';
import { ToastRegion } from './design/overlay/toasts';
import { readAuditSearch } from './pages/audit/audit-search';
import { readGroupsSearch } from './pages/groups/groups-search';
import { readKeysSearch } from './pages/keys/keys-search';
import { readLimitsSearch } from './pages/limits/limits-search';
import { readMembersSearch } from './pages/members/members-search';
import { readMoneySearch } from './pages/money/money-search';
import { NotFoundPage } from './pages/not-found/not-found-page';
import { readOverviewSearch } from './pages/overview/overview-search';
import { readModelsSearch } from './pages/models/models-search';
import { forgetPlayground } from './pages/playground/forget-playground';
import { readPlaygroundSearch } from './pages/playground/playground-search';
import { readProvidersSearch } from './pages/providers/providers-search';
import { readRequestsSearch } from './pages/requests/requests-search';
import { readRulesSearch } from './pages/rules/rules-search';
import { readSignInSearch } from './pages/sign-in/sign-in-search';
import { readSearchText, writeSearchText } from './search-text';
import { PageError } from './shell/page-error';
import { Shell } from './shell/shell';

type RouterContext = { readonly onSignedIn: (session: Session) => void };

const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: () => (
    <>
      <Outlet />
      <ToastRegion />
      <TipRegion />
    </>
  ),
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: readSignInSearch,
  loader: readSignInOptions,
  component: lazyRouteComponent(() => import('./pages/sign-in/sign-in-page'), 'SignInPage'),
});

/** Everything that needs a session. */
const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: async ({ location }) => {
    try {
      await queryClient.ensureQueryData(sessionQuery);
    } catch (error) {
      if (toApiError(error).status !== 401) throw error;
      redirect({ to: '/sign-in', search: location.href === '/' ? {} : { return: location.href }, throw: true });
    }
  },
  component: () => <Shell onSignedOut={signedOut} />,
});

const overviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  validateSearch: readOverviewSearch,
  component: lazyRouteComponent(() => import('./pages/overview/overview-page'), 'OverviewPage'),
});

const requestsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/requests',
  validateSearch: readRequestsSearch,
  component: lazyRouteComponent(() => import('./pages/requests/requests-page'), 'RequestsPage'),
});

const requestRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/requests/$id',
  component: lazyRouteComponent(() => import('./pages/request/request-page'), 'RequestPage'),
});

const modelsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/models',
  validateSearch: readModelsSearch,
  component: lazyRouteComponent(() => import('./pages/models/models-page'), 'ModelsPage'),
});

const playgroundRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/playground',
  validateSearch: readPlaygroundSearch,
  component: lazyRouteComponent(() => import('./pages/playground/playground-page'), 'PlaygroundPage'),
});

/** Within the shell, so that the way back is where it always is. */
const keysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys',
  validateSearch: readKeysSearch,
  component: lazyRouteComponent(() => import('./pages/keys/keys-page'), 'KeysPage'),
});

const groupsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/groups',
  validateSearch: readGroupsSearch,
  component: lazyRouteComponent(() => import('./pages/groups/groups-page'), 'GroupsPage'),
});

const groupRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/groups/$id',
  component: lazyRouteComponent(() => import('./pages/groups/group-page'), 'GroupPage'),
});

const membersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/members',
  validateSearch: readMembersSearch,
  component: lazyRouteComponent(() => import('./pages/members/members-page'), 'MembersPage'),
});

const providersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/providers',
  validateSearch: readProvidersSearch,
  component: lazyRouteComponent(() => import('./pages/providers/providers-page'), 'ProvidersPage'),
});

const providerRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/providers/$id',
  component: lazyRouteComponent(() => import('./pages/provider/provider-page'), 'ProviderPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('./pages/audit/audit-page'), 'AuditPage'),
});

const moneyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/money',
  validateSearch: readMoneySearch,
  component: lazyRouteComponent(() => import('./pages/money/money-page'), 'MoneyPage'),
});

const rulesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/rules',
  validateSearch: readRulesSearch,
  component: lazyRouteComponent(() => import('./pages/rules/rules-page'), 'RulesPage'),
});

const limitsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/limits',
  validateSearch: readLimitsSearch,
  component: lazyRouteComponent(() => import('./pages/limits/limits-page'), 'LimitsPage'),
});

const notFoundRoute = createRoute({ getParentRoute: () => shellRoute, path: '$', component: NotFoundPage });

const PAGES = [
  notFoundRoute,
  overviewRoute,
  requestsRoute,
  requestRoute,
  modelsRoute,
  playgroundRoute,
  keysRoute,
  groupsRoute,
  groupRoute,
  membersRoute,
  providersRoute,
  providerRoute,
  moneyRoute,
  auditRoute,
  rulesRoute,
  limitsRoute,
] as const;

const routeTree = rootRoute.addChildren([signInRoute, shellRoute.addChildren(PAGES)]);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  context: { onSignedIn: enter },
  parseSearch: readSearchText,
  stringifySearch: writeSearchText,
  defaultPreload: 'intent',
  defaultPendingComponent: LoadingState,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

function enter(session: Session): void {
  queryClient.clear();
  queryClient.setQueryData(sessionQuery.queryKey, session);
  const { return: back } = readSignInSearch(readSearchText(window.location.search));
  void router.navigate({ href: `/console${back ?? '/'}` });
}

function signedOut(): void {
  forgetPlayground();
  leave({});
}

/** To the sign-in page, with nothing left of what was loaded for whom was signed in. */
function leave(search: ReturnType<typeof readSignInSearch>): void {
  void router.navigate({ to: '/sign-in', search }).then(() => queryClient.clear());
}

onSessionEnd(() => {
  const { pathname, href } = router.state.location;
  if (pathname !== '/sign-in') leave({ reason: 'ended', ...(href === '/' ? {} : { return: href }) });
});
