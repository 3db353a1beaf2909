import type { Prisma } from './generated/prisma/client';

export type Person = {
  /** Lower case. */
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
};

/**
 * Answers the id of whoever has this address, whichever organization they are of, and makes an account for somebody new.
 * A person's name is theirs: it is kept of somebody new only.
 */
export async function ensureUserAccount(tx: Prisma.TransactionClient, { email, firstName = '', lastName = '' }: Person): Promise<string> {
  const [row] = await tx.$queryRaw<{ id: string }[]>`SELECT ensure_user_account(${email}, ${firstName}, ${lastName}) AS id`;
  return (row as { id: string }).id;
}
