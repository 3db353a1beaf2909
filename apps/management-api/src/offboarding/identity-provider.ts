/** Where people sign in. Implementations must be idempotent: removing whoever is not there is a success. */
export type IdentityProvider = {
  removeMember(membership: { readonly organizationId: string; readonly subject: string | null; readonly email: string }): Promise<void>;
};
