/**
 * Why somebody could not sign in, as the sign-in page reads it. At the person: `refused` (given up at the provider),
 * `expired`, `email`. At who administers the organization: `group`, `offboarded`, `account`. At the operator: `settings`.
 * At the provider: `provider`. At no one for long: `busy`.
 */
export type SignInReason =
  'refused' | 'expired' | 'email' | 'group' | 'offboarded' | 'account' | 'settings' | 'provider' | 'busy' | 'failed';

/** Leads back to the sign-in page. `message` is for the log: it has no token, code or secret. */
export class SignInRefusal extends Error {
  constructor(
    readonly reason: SignInReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'SignInRefusal';
  }
}
