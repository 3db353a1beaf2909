import type { RingSealer } from '@weir/sealing';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { CONSOLE_PATH } from './console-parts';
import { readCookie } from './read-cookie';

const NAME = 'weir_console_oidc';
/** People look for their telephone. */
const VALID_MS = 10 * 60_000;

const sealedFlow = z.strictObject({
  ...{ state: z.string().min(20), nonce: z.string().min(20), verifier: z.string().min(43) },
  redirectUri: z.url(),
  /** Where in the console the person goes from there. */
  back: z.string(),
  startedAtMs: z.int(),
});

export type KeptFlow = Omit<z.infer<typeof sealedFlow>, 'startedAtMs'>;

export type FlowCookies = {
  keep(request: Request, response: Response, flow: KeptFlow): void;
  /** The sign-in that this browser has begun, this once; undefined without one, and when it took too long. */
  take(request: Request, response: Response): KeptFlow | undefined;
};

type CookieParts = { readonly sealer: RingSealer; readonly now: () => number; readonly isSecure: (request: Request) => boolean };

/**
 * A sign-in under way is in the browser alone, sealed, as the session is. `Lax`, because the browser comes back from another
 * site; and only to the paths of the sign-in.
 */
export function createFlowCookies({ sealer, now, isSecure }: CookieParts): FlowCookies {
  const describe = (request: Request) =>
    ({ path: `${CONSOLE_PATH}/oidc`, httpOnly: true, sameSite: 'lax', secure: isSecure(request) }) as const;
  const open = (value: string): KeptFlow[] => {
    const text = sealer.open(value);
    const flow = text === undefined ? undefined : sealedFlow.safeParse(JSON.parse(text)).data;
    if (flow === undefined || flow.startedAtMs + VALID_MS <= now()) return [];
    const { startedAtMs: _startedAtMs, ...kept } = flow;
    return [kept];
  };
  return {
    keep: (request, response, flow) => {
      const sealed = sealer.seal(JSON.stringify({ ...flow, startedAtMs: now() }));
      response.cookie(NAME, sealed, { ...describe(request), maxAge: VALID_MS });
    },
    take: (request, response) => {
      const values = readCookie(request.headers.cookie, NAME);
      if (values.length > 0) response.clearCookie(NAME, describe(request));
      return values.flatMap(open)[0];
    },
  };
}
