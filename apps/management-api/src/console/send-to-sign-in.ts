import type { Response } from 'express';
import { CONSOLE_PATH } from './console-parts';
import type { SignInReason } from './oidc/sign-in-refusal';

/** Leads to the sign-in page, which says in words what `reason` is, and knows where the person wanted to go. */
export function sendToSignIn(response: Response, { reason, back }: { readonly reason: SignInReason; readonly back?: string }): void {
  const search = new URLSearchParams({ reason });
  const inside = back?.slice(CONSOLE_PATH.length) ?? '';
  if (inside.length > 1) search.set('return', inside);
  response.redirect(303, `${CONSOLE_PATH}/sign-in?${search.toString()}`);
}
