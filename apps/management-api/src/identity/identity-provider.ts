/** A person's place in an organization, as the identity provider is told of it. */
export type Membership = {
  readonly organizationId: string;
  /** Who this is at the identity provider; null until that is known. */
  readonly subject: string | null;
  /** Lower case. */
  readonly email: string;
};

export type NewMembership = Membership & {
  readonly organizationName: string;
  readonly firstName: string;
  readonly lastName: string;
};

/** Whoever the identity provider vouches for. */
export type SignedInPerson = {
  readonly subject: string;
  readonly email: string;
  /** Only then may the address lead to an account that is known by it. */
  readonly isEmailVerified: boolean;
  readonly firstName: string;
  readonly lastName: string;
};

/** Where people sign in. Adding whoever is there and removing whoever is not are successes; anything else that fails is thrown. */
export type IdentityProvider = {
  /** Answers who that is there, if the provider has names of its own for people. */
  addMember(membership: NewMembership): Promise<{ readonly subject: string | null }>;
  /** Takes the membership away and ends the person's sessions; the account and other memberships stay. */
  removeMember(membership: Membership): Promise<void>;
  /** Whose session a token belongs to, undefined when to no one's. Absent where no one signs in. */
  readSession?(token: string): Promise<SignedInPerson | undefined>;
};
