import { createRingSealer, type RingSealer } from '@weir/sealing';
import type { RequestHandler, Router } from 'express';
import type { ManagementParts } from '../route/management-parts';
import { createAttemptLimits } from './attempt-limits';
import { createBrowserOrigin } from './browser-origin';
import { CONSOLE_PATH, type ConsoleParts } from './console-parts';
import { limitAttempts } from './limit-attempts';
import { createOidcClient } from './oidc/create-oidc-client';
import { createFlowCookies } from './flow-cookie';
import type { OidcSettings } from './oidc/read-oidc-settings';
import { finishOidc, startOidc, type OidcParts } from './serve-oidc';
import { createServeConsole } from './serve-console';
import { mountFiles } from './serve-files';
import { serveInterface } from './serve-interface';
import { enterByLink } from './serve-link';
import { readSession, signIn, signOut, type SessionParts } from './serve-session';
import { createSessionCookies } from './session-cookie';
import { createSignInLinks } from './sign-in-links';

export type Console = {
  /**
   * The path of a link that signs an administrator in, once and within a quarter of an hour: with `apiKey`, or without one
   * with a key that is made when the link is used.
   */
  offerLink(apiKey: string | undefined): string;
};

type Mounting = {
  readonly parts: ManagementParts;
  readonly own: ConsoleParts;
  readonly management: Router;
  readonly createRequestId: () => string;
};

const PAGE_POLICY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:", "font-src 'self'"],
  "media-src 'self' blob:",
  ...["connect-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"],
].join('; ');

/** Adds the console: its pages, its sessions, and the interface as a session calls it. */
export function mountConsole(router: Router, { parts, own, management, createRequestId }: Mounting): Console {
  const origin = createBrowserOrigin(own.proxyNetworks);
  const sealer = createRingSealer(own.sealingKey, 'console session');
  const cookies = createSessionCookies({ sealer, idleMs: own.idleMs, now: parts.now, isSecure: origin.isSecure });
  const sessions = { parts, cookies, origin };
  const links = createSignInLinks(parts.now);
  const serve = createServeConsole({ log: parts.log, createRequestId });
  const limits = { limits: createAttemptLimits(parts.now, own.attempts), origin };
  router.use(CONSOLE_PATH, protect);
  router.post(`${CONSOLE_PATH}/session`, serve(limitAttempts(limits, (request, response) => signIn(sessions, request, response))));
  router.get(
    `${CONSOLE_PATH}/session`,
    serve((request, response) => readSession(sessions, request, response)),
  );
  router.delete(
    `${CONSOLE_PATH}/session`,
    serve((request, response, served) => signOut(sessions, request, response, served)),
  );
  router.get(
    `${CONSOLE_PATH}/enter`,
    serve(limitAttempts(limits, (request, response, served) => enterByLink({ ...sessions, links }, request, response, served))),
  );
  router.get(
    `${CONSOLE_PATH}/sign-in-options`,
    serve((_request, response) => void response.json({ oidc: own.oidc === undefined ? null : { name: own.oidc.name } })),
  );
  if (own.oidc !== undefined) {
    const oidc = openOidc(sessions, own.oidc, createRingSealer(own.sealingKey, 'console sign-in'));
    router.get(
      `${CONSOLE_PATH}/oidc/start`,
      serve(limitAttempts(limits, (request, response, served) => startOidc(oidc, request, response, served))),
    );
    router.get(
      `${CONSOLE_PATH}/oidc/callback`,
      serve(limitAttempts(limits, (request, response, served) => finishOidc(oidc, request, response, served))),
    );
  }
  router.all(
    `${CONSOLE_PATH}/api/*path`,
    serve((request, response) => serveInterface({ ...sessions, gatewayUrl: own.gatewayUrl, management }, request, response)),
  );
  mountFiles(router, own.filesFolder);
  return { offerLink: (apiKey) => `${CONSOLE_PATH}/enter?token=${links.offer({ apiKey })}` };
}

function openOidc(sessions: SessionParts, settings: OidcSettings, sealer: RingSealer): OidcParts {
  const { parts, origin } = sessions;
  const flows = createFlowCookies({ sealer, now: parts.now, isSecure: origin.isSecure });
  return { ...sessions, settings, client: createOidcClient(settings, parts.now), flows };
}

/** Nothing but the console's own files runs in its pages, and no other page shows them. */
const protect: RequestHandler = (_request, response, next) => {
  response.setHeader('content-security-policy', PAGE_POLICY);
  response.setHeader('referrer-policy', 'same-origin');
  response.setHeader('x-frame-options', 'DENY');
  response.setHeader('x-content-type-options', 'nosniff');
  next();
};
