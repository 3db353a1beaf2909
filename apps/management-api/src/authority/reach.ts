import type { Prisma } from '@weir/database';
import { administersGroup, isAdministrator } from '../records/administrators';
import { notFound, requireId } from '../records/require-id';
import type { RawCall } from '../route/route';
import { forbidden, type LimitedAuthority } from '../route/authority';
import { checkMayTakeOver } from './calling-key';

type Reaching = Pick<RawCall, 'organizationId' | 'params' | 'principal'> & { readonly authority: LimitedAuthority };

/** Refuses what the path names and the caller does not reach: 404 for what they may not see, 403 for what they may only see. */
type CheckReach = (tx: Prisma.TransactionClient, call: Reaching) => Promise<void>;

/** The route itself shows no more than the caller reaches, and refuses what its body names beyond that. */
const narrowedByRoute: CheckReach = () => Promise.resolve();

const groupTheyAdminister: CheckReach = (_tx, { params, authority }) => {
  const id = requireId(params['id'], 'group');
  // The same for a group of others as for none.
  return authority.adminOf.includes(id) ? Promise.resolve() : Promise.reject(notFound('group', id));
};

type KeyPlace = Prisma.ApiKeyGetPayload<{ select: typeof KEY_PLACE }>;
const KEY_PLACE = {
  ...{ id: true, userId: true, groupId: true, accessListId: true },
  ...{ permManage: true, permContents: true },
} as const;

const keyTheySee: CheckReach = async (tx, call) => void (await findKey(tx, call));

const keyTheyHoldOrManage: CheckReach = async (tx, call) => void (await findHeldOrManaged(tx, call));

/** Rotating shows a secret to the caller, who may from then on do what that key may. */
const keyTheyMayTakeOver: CheckReach = async (tx, call) => checkMayTakeOver(tx, call, await findHeldOrManaged(tx, call));

async function findHeldOrManaged(tx: Prisma.TransactionClient, call: Reaching): Promise<KeyPlace> {
  const key = await findKey(tx, call);
  if (key.userId !== call.authority.userId) await checkManaged(tx, call, key);
  return key;
}

const keyTheyManage: CheckReach = async (tx, call) => checkManaged(tx, call, await findKey(tx, call));

/** Their own, and those of groups they administer. */
async function findKey(tx: Prisma.TransactionClient, { organizationId, params, authority }: Reaching): Promise<KeyPlace> {
  const id = requireId(params['id'], 'API key');
  const key = await tx.apiKey.findFirst({ where: { id, organizationId }, select: KEY_PLACE });
  const isSeen = key !== null && (key.userId === authority.userId || (key.groupId !== null && authority.adminOf.includes(key.groupId)));
  if (!isSeen) throw notFound('API key', id);
  return key;
}

/**
 * An administrator of a group manages the keys its members infer with. What opens the management interface does so with
 * its owner's roles, which may reach beyond the group: an
 * administrator who could rotate such a key would get those roles, so such keys are refused. So are keys of other
 * administrators of the group and their own: they cannot decide about these through the group either.
 */
async function checkManaged(tx: Prisma.TransactionClient, { organizationId, authority }: Reaching, key: KeyPlace): Promise<void> {
  const { userId, groupId, permManage } = key;
  if (groupId === null || !authority.adminOf.includes(groupId)) throw forbidden('The API key is in none of the groups you administer.');
  if (permManage !== 'none') throw forbidden('Only administrators of the organization may change an API key with management permissions.');
  if (userId === null) throw forbidden('The API key belongs to no member; only administrators of the organization may change it.');
  if (await isAdministrator(tx, { organizationId, userId }))
    throw forbidden('The API key belongs to an administrator of the organization, who alone may change it.');
  if (await administersGroup(tx, { groupId, userId }))
    throw forbidden('The API key belongs to an administrator of the group; only administrators of the organization may do this.');
}

/**
 * How far endpoints reach that are not for the organization's administrators alone. An endpoint without a line here is
 * not served.
 */
export const REACH: Readonly<Record<string, CheckReach>> = {
  'create-api-key': narrowedByRoute,
  'list-api-keys': narrowedByRoute,
  'read-api-key': keyTheySee,
  'read-api-key-usage': keyTheySee,
  'revoke-api-key': keyTheyHoldOrManage,
  'rotate-api-key': keyTheyMayTakeOver,
  'set-api-key-labels': keyTheyHoldOrManage,
  'set-api-key-limit': keyTheyManage,
  'set-api-key-expiry': keyTheyManage,
  'list-groups': narrowedByRoute,
  'read-group': groupTheyAdminister,
  'set-group-labels': groupTheyAdminister,
  'add-group-member': groupTheyAdminister,
  'remove-group-member': groupTheyAdminister,
  'set-group-member-limit': groupTheyAdminister,
  'set-group-member-rate-limit': groupTheyAdminister,
  'set-group-member-budget': groupTheyAdminister,
  'list-members': narrowedByRoute,
  'read-organization-usage': narrowedByRoute,
  'read-organization-performance': narrowedByRoute,
};
