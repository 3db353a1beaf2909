import type { SignInReason } from './sign-in-search';

type Explanation = { readonly kind: 'normal' | 'warn' | 'bad'; readonly text: string };

/** Why someone is here again: who is at fault, and what to do. */
export const REASONS: Readonly<Record<SignInReason, Explanation>> = {
  link: { kind: 'normal', text: 'This link has been used or has run out. Sign in with an API key, or ask for a new link.' },
  ended: { kind: 'normal', text: 'Your session has ended. Sign in again to go on where you were.' },
  refused: {
    kind: 'normal',
    text: 'You were not signed in: the identity provider refused, or you cancelled there. Try again if you did not mean to.',
  },
  expired: {
    kind: 'normal',
    text: 'The sign-in took longer than ten minutes, was begun in another window, or was sent twice. Nothing is wrong with your account: sign in again.',
  },
  email: {
    kind: 'warn',
    text: 'Your e-mail address is not verified at the identity provider, and the gateway knows people by it. Verify it there, or ask who administers your account there; then sign in again.',
  },
  group: {
    kind: 'warn',
    text: 'You are no member of this organization, and none of your groups at the identity provider may sign in. Ask an administrator of the organization to add you as a member.',
  },
  offboarded: {
    kind: 'warn',
    text: 'Your membership of this organization has ended. Ask one of its administrators to add you again if that is a mistake.',
  },
  account: {
    kind: 'warn',
    text: 'Your e-mail address belongs to a member who signs in with another account of the same identity provider. Use that account, or ask an administrator of the organization to remove that member and add you again.',
  },
  settings: {
    kind: 'bad',
    text: 'The gateway and the identity provider do not agree on how to sign in. You cannot mend this: inform the operator of the gateway, whose log says what it was.',
  },
  provider: {
    kind: 'bad',
    text: 'The identity provider does not respond at the moment. Nothing is wrong with your account: try again in a minute, and inform the operator if it goes on.',
  },
  busy: { kind: 'warn', text: 'There were too many attempts to sign in. Wait a minute, then try again.' },
  failed: {
    kind: 'bad',
    text: 'The gateway could not complete the sign-in. Try again in a minute, and inform the operator of the gateway if it goes on: its log says what it was.',
  },
};
