import { isObject, type ScimDocument } from '../protocol/attribute';
import { SCIM_PATH } from '../protocol/describe-service';
import { makeEtag } from '../protocol/etag';
import { GROUP_KIND } from '../protocol/group-kind';
import { USER_KIND } from '../protocol/user-kind';
import type { UserRow } from './user-rows';

/** What of a member may be written, as a directory knows it. */
export function readUser(row: UserRow): ScimDocument {
  const { roles: statedRoles, ...profile } = readProfile(row);
  const roles = row.role === 'member' ? statedRoles : describeRoles(statedRoles);
  return {
    userName: row.userName ?? row.user.email,
    ...profile,
    ...(row.externalId === null ? {} : { externalId: row.externalId }),
    active: row.status === 'active',
    ...(roles === undefined ? {} : { roles }),
  };
}

/** The whole resource, with its version. */
export function describeUser(row: UserRow): ScimDocument {
  const { externalId, ...written } = readUser(row);
  const extensions = USER_KIND.extensions.map(({ id }) => id).filter((id) => written[id] !== undefined);
  const groups = describeGroups(row);
  const own = {
    schemas: [USER_KIND.schema.id, ...extensions],
    ...{ id: row.userId, ...(externalId === undefined ? {} : { externalId }) },
  };
  const rest = { ...written, ...(groups.length === 0 ? {} : { groups }) };
  const meta = {
    ...{ resourceType: 'User', created: row.createdAt.toISOString(), lastModified: row.updatedAt.toISOString() },
    location: `${SCIM_PATH}/Users/${row.userId}`,
  };
  return { ...own, meta: { ...meta, version: makeEtag({ ...own, ...rest, meta }) }, ...rest };
}

export function describeVersion(row: UserRow): string {
  return (describeUser(row)['meta'] as { readonly version: string }).version;
}

function readProfile({ profile, user }: UserRow): ScimDocument {
  if (isObject(profile)) return profile;
  const { firstName, lastName, email } = user;
  const name = { ...(firstName === '' ? {} : { givenName: firstName }), ...(lastName === '' ? {} : { familyName: lastName }) };
  return { ...(Object.keys(name).length === 0 ? {} : { name }), emails: [{ value: email, type: 'work', primary: true }] };
}

/** An owner is an administrator; what the directory said of a role besides stays. */
function describeRoles(stated: unknown): unknown {
  const isStated = Array.isArray(stated) && stated.some((one) => isObject(one) && one['value'] === 'admin');
  return isStated ? stated : [{ value: 'admin', primary: true }];
}

function describeGroups({ user }: UserRow): ScimDocument[] {
  return user.groupMemberships.map(({ group }) => ({
    value: group.id,
    ...{ $ref: `${SCIM_PATH}${GROUP_KIND.path}/${group.id}`, display: group.name, type: 'direct' },
  }));
}
