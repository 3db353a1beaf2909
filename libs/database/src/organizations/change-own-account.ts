import type { Prisma } from '../generated/prisma/client';

type AccountChange = {
  readonly organizationId: string;
  readonly userId: string;
  /** Lower case. */
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
};

/**
 * Gives an account another address or name, where it is in this organization and in no other. Returns whether it did: an
 * account that is elsewhere too is the person's, and an address may belong to another account.
 */
export async function changeOwnAccount(tx: Prisma.TransactionClient, change: AccountChange): Promise<boolean> {
  const { organizationId, userId, email, firstName, lastName } = change;
  const [row] = await tx.$queryRaw<{ changed: boolean }[]>`
    SELECT change_own_account(${organizationId}::uuid, ${userId}::uuid, ${email}, ${firstName}, ${lastName}) AS changed`;
  return row?.changed === true;
}
