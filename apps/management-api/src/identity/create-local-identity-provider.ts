import type { IdentityProvider } from '../ports/identity-provider';

/** This database alone: the memberships in it are all there is, no one signs in, and keys are the only credentials. */
export function createLocalIdentityProvider(): IdentityProvider {
  return { addMember: () => Promise.resolve({ subject: null }), removeMember: () => Promise.resolve() };
}
