import type { RingSealer } from '@weir/sealing';
import type { Request, Response } from 'express';
import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { CONSOLE_PATH } from './console-parts';
import { readCookie } from './read-cookie';

const NAME = 'weir_console';
/** A session lasts no longer, however much it is used. */
export const AGE_MAX_MS = 7 * 86_400_000;
/** The time of the last use is noted no more often: most responses set no cookie. */
const NOTED_EVERY_MS = 60_000;

const sealedSession = z.strictObject({
  key: z.string().min(1).max(512),
  csrfToken: z.string().min(32).max(64),
  issuedAtMs: z.int(),
  usedAtMs: z.int(),
});

/** What a browser that is signed in carries, sealed. */
export type ConsoleSession = z.infer<typeof sealedSession>;

export type SessionCookies = {
  /** The session of a request; undefined without one, and for one that has ended. */
  read(request: Request): ConsoleSession | undefined;
  /** Begins a session with a key. */
  begin(request: Request, response: Response, key: string): ConsoleSession;
  /** Notes that the session is in use, now and then. */
  keepAlive(request: Request, response: Response, session: ConsoleSession): void;
  end(request: Request, response: Response): void;
  /** When it ends if it is not used any more. */
  endOf(session: ConsoleSession): number;
};

type CookieParts = {
  readonly sealer: RingSealer;
  readonly idleMs: number;
  readonly now: () => number;
  readonly isSecure: (request: Request) => boolean;
};

export function createSessionCookies({ sealer, idleMs, now, isSecure }: CookieParts): SessionCookies {
  const describe = (request: Request) => ({ path: CONSOLE_PATH, httpOnly: true, sameSite: 'strict', secure: isSecure(request) }) as const;
  const endOf = ({ issuedAtMs, usedAtMs }: ConsoleSession): number => Math.min(issuedAtMs + AGE_MAX_MS, usedAtMs + idleMs);
  const open = (value: string): ConsoleSession[] => {
    const text = sealer.open(value);
    const session = text === undefined ? undefined : sealedSession.safeParse(JSON.parse(text)).data;
    return session === undefined || endOf(session) <= now() ? [] : [session];
  };
  const write = (request: Request, response: Response, session: ConsoleSession): void => {
    response.cookie(NAME, sealer.seal(JSON.stringify(session)), { ...describe(request), maxAge: endOf(session) - session.usedAtMs });
  };
  return {
    endOf,
    read: (request) => readCookie(request.headers.cookie, NAME).flatMap(open)[0],
    begin: (request, response, key) => {
      const csrfToken = randomBytes(32).toString('base64url');
      const nowMs = now();
      const session = { key, csrfToken, issuedAtMs: nowMs, usedAtMs: nowMs };
      write(request, response, session);
      return session;
    },
    keepAlive: (request, response, session) => {
      if (now() - session.usedAtMs >= Math.min(NOTED_EVERY_MS, idleMs / 2)) write(request, response, { ...session, usedAtMs: now() });
    },
    end: (request, response) => void response.clearCookie(NAME, describe(request)),
  };
}
