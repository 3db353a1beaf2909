import { admitAtIdentityProvider } from '../../identity/admit-at-identity-provider';
import { finishOffboarding } from '../../identity/finish-offboarding';
import { runChange } from '../../changes/run-change';
import { keepAnAdministrator } from '../../records/administrators';
import { applyPatch } from '../../scim/protocol/apply-patch';
import { checkIfMatch } from '../../scim/protocol/etag';
import { readListQuery, readSearch } from '../../scim/protocol/list-query';
import { readResource } from '../../scim/protocol/read-resource';
import { USER_KIND } from '../../scim/protocol/user-kind';
import { changeUser } from '../../scim/users/change-user';
import { describeUser, describeVersion } from '../../scim/users/describe-user';
import { listUsers as findUsers } from '../../scim/users/list-users';
import { createUser as makeUser, deleteUser as endUser } from '../../scim/users/save-user';
import { getUserRow, lockUserRow } from '../../scim/users/user-rows';
import { defineRoute, done, noBody } from '../../route/route';
import { respondWith, respondWithList } from './respond';
import { scimBody } from './scim-body';

export const listUsers = defineRoute({
  id: 'scim-list-users',
  body: noBody,
  run: async ({ organizationId, query }, { database }) => {
    const asked = readListQuery(query);
    const found = await database.asOrganization(organizationId).transact((tx) => findUsers(tx, organizationId, asked));
    return respondWithList(USER_KIND, asked, found);
  },
});

/** The same with a body in place of parameters, which stay out of logs. */
export const searchUsers = defineRoute({
  id: 'scim-search-users',
  body: scimBody,
  run: async ({ organizationId, body }, { database }) => {
    const asked = readSearch(body);
    const found = await database.asOrganization(organizationId).transact((tx) => findUsers(tx, organizationId, asked));
    return respondWithList(USER_KIND, asked, found);
  },
});

export const readUserResource = defineRoute({
  id: 'scim-read-user',
  body: noBody,
  run: async (call, { database }) => {
    const { organizationId, params } = call;
    const row = await database.asOrganization(organizationId).transact((tx) => getUserRow(tx, { organizationId, id: params['id'] }));
    return respondWith(USER_KIND, describeUser(row), call);
  },
});

/** First here, then at the identity provider, as of members who are added otherwise. */
export const createUser = defineRoute({
  id: 'scim-create-user',
  body: scimBody,
  takesParameters: true,
  run: async (call, parts) => {
    const { organizationId } = call;
    const document = readResource(USER_KIND, call.body);
    const at = { organizationId, nowMs: parts.now() };
    const row = await runChange(parts, { ...call, action: 'scim-create-user' }, (tx) => makeUser(tx, at, document));
    await admitAtIdentityProvider(parts, row);
    return respondWith(USER_KIND, describeUser(row), { query: call.query }, 201);
  },
});

export const replaceUser = defineRoute({
  id: 'scim-replace-user',
  body: scimBody,
  takesParameters: true,
  run: async (call, parts) => {
    const read = readResource(USER_KIND, call.body);
    // A directory that says nothing of them means neither that somebody comes back nor that an administrator is one no more.
    const row = await changeUser(parts, { ...call, action: 'scim-replace-user' }, ({ active, roles }) =>
      Promise.resolve({ active, ...(roles === undefined ? {} : { roles }), ...read }),
    );
    return respondWith(USER_KIND, describeUser(row), { query: call.query });
  },
});

export const patchUser = defineRoute({
  id: 'scim-patch-user',
  body: scimBody,
  takesParameters: true,
  run: async (call, parts) => {
    const row = await changeUser(parts, { ...call, action: 'scim-patch-user' }, (document) => applyPatch(USER_KIND, document, call.body));
    return respondWith(USER_KIND, describeUser(row), { query: call.query });
  },
});

export const deleteUser = defineRoute({
  id: 'scim-delete-user',
  body: noBody,
  takesParameters: true,
  run: async (call, parts) => {
    const { organizationId } = call;
    const at = { organizationId, nowMs: parts.now() };
    const userId = await runChange(parts, { ...call, action: 'scim-delete-user' }, (tx) =>
      keepAnAdministrator(tx, at, async () => {
        const row = await lockUserRow(tx, { organizationId, id: call.params['id'] });
        if (call.ifMatch !== undefined) checkIfMatch(call.ifMatch, describeVersion(row));
        return { ...(await endUser(tx, at, row)), result: row.userId };
      }),
    );
    await finishOffboarding(parts, { organizationId, userId });
    return done;
  },
});
