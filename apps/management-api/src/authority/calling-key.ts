import type { Prisma } from '@weir/database';
import type { RawCall } from '../route/route';
import { forbidden } from '../route/authority';

/** What the key that calls may do itself. */
export type CallingKey = {
  readonly permManage: string;
  readonly permContents: string;
  readonly accessListId: string | null;
  /** It stands for the person. */
  readonly isSession: boolean;
};

type Calling = Pick<RawCall, 'organizationId' | 'principal'>;

export async function readCallingKey(tx: Prisma.TransactionClient, { organizationId, principal }: Calling): Promise<CallingKey> {
  const select = { permManage: true, permContents: true, accessListId: true, isSession: true };
  return tx.apiKey.findUniqueOrThrow({ where: { id: principal.key.apiKeyId, organizationId }, select });
}

const RANK: Readonly<Record<string, number>> = { none: 0, read: 1, write: 2 };

const reaches = (held: string, asked: string): boolean => (RANK[asked] ?? 0) <= (RANK[held] ?? 0);

type Target = Omit<CallingKey, 'isSession'> & { readonly id: string; readonly userId: string | null };

/** A key gets no secret of one that may do more, as it makes none that may; one that manages makes keys that infer. */
export async function checkMayTakeOver(tx: Prisma.TransactionClient, call: Calling, target: Target): Promise<void> {
  if (target.id === call.principal.key.apiKeyId) return;
  const held = await readCallingKey(tx, call);
  // A session stands for the person, whom no one gave the contents of others.
  if (!reaches(held.permContents, target.permContents) && !(held.isSession && target.userId === call.principal.key.userId))
    throw forbidden(`This API key has "contents: ${held.permContents}" itself, and may not rotate one with "${target.permContents}".`);
  if (held.isSession) return;
  if (!reaches(held.permManage, target.permManage))
    throw forbidden(`This API key has "manage: ${held.permManage}" itself, and may not rotate one with "${target.permManage}".`);
  if (held.accessListId !== null && held.accessListId !== target.accessListId)
    throw forbidden('This API key has an access list, and may rotate only keys that have the same one.');
}
