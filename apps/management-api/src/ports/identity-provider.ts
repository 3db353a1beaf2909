/** A person's membership of an organization, as the identity provider knows it. */
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

/** A person whose token the identity provider has accepted. */
export type SignedInPerson = {
  readonly subject: string;
  readonly email: string;
  /** Only then may the address lead to an account that is known by it. */
  readonly isEmailVerified: boolean;
  readonly firstName: string;
  readonly lastName: string;
};

/** Where people sign in. Adding a member who is there already and removing one who is not succeed; every other failure is thrown. */
export type IdentityProvider = {
  /** Returns the person's id at the provider, if the provider has ids of its own. */
  addMember(membership: NewMembership): Promise<{ readonly subject: string | null }>;
  /** Takes the membership away and ends the person's sessions; the account and other memberships stay. */
  removeMember(membership: Membership): Promise<void>;
  /** Whose session a token belongs to, undefined when to no one's. Absent where no one signs in. */
  readSession?(token: string): Promise<SignedInPerson | undefined>;
};
