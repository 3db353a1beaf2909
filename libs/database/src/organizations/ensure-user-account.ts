import type { Prisma } from '../generated/prisma/client';

type Person = {
  /** Lower case. */
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
};

/**
 * Returns the id of the account with this address, in whichever organization, and makes an account if there is none.
 * A person's name is theirs: it is kept of somebody new only.
 */
export async function ensureUserAccount(tx: Prisma.TransactionClient, { email, firstName = '', lastName = '' }: Person): Promise<string> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`SELECT ensure_user_account(${email}, ${firstName}, ${lastName}) AS id`;
  return (row as { id: string }).id;
}
