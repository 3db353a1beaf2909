import { isDeepStrictEqual } from 'node:util';
import { runChange } from '../../changes/run-change';
import type { RouteParts } from '../../route/management-parts';
import { defineRoute, done, noBody, type RawCall } from '../../route/route';
import { describeGroup, describeGroupVersion, getGroupRow, lockGroupRow, readGroup, type ScimGroupRow } from '../../scim/groups/group-rows';
import { listGroups as findGroups } from '../../scim/groups/list-groups';
import { createGroup as makeGroup, deleteGroup as endGroup, saveGroup } from '../../scim/groups/save-group';
import { applyPatch } from '../../scim/protocol/apply-patch';
import type { ScimDocument } from '../../scim/protocol/attribute';
import { checkIfMatch } from '../../scim/protocol/etag';
import { GROUP_KIND } from '../../scim/protocol/group-kind';
import { readListQuery, readSearch } from '../../scim/protocol/list-query';
import { readResource } from '../../scim/protocol/read-resource';
import { respondWith, respondWithList } from './respond';
import { scimBody } from './scim-body';

export const listGroups = defineRoute({
  id: 'scim-list-groups',
  body: noBody,
  run: async ({ organizationId, query }, { database }) => {
    const asked = readListQuery(query);
    const found = await database.asOrganization(organizationId).transact((tx) => findGroups(tx, organizationId, asked));
    return respondWithList(GROUP_KIND, asked, found);
  },
});

/** The same with a body in place of parameters, which stay out of logs. */
export const searchGroups = defineRoute({
  id: 'scim-search-groups',
  body: scimBody,
  run: async ({ organizationId, body }, { database }) => {
    const asked = readSearch(body);
    const found = await database.asOrganization(organizationId).transact((tx) => findGroups(tx, organizationId, asked));
    return respondWithList(GROUP_KIND, asked, found);
  },
});

export const readGroupResource = defineRoute({
  id: 'scim-read-group',
  body: noBody,
  run: async (call, { database }) => {
    const { organizationId, params } = call;
    const row = await database.asOrganization(organizationId).transact((tx) => getGroupRow(tx, { organizationId, id: params['id'] }));
    return respondWith(GROUP_KIND, describeGroup(row), call);
  },
});

export const createGroup = defineRoute({
  id: 'scim-create-group',
  body: scimBody,
  takesParameters: true,
  run: async (call, parts) => {
    const { organizationId, principal } = call;
    const document = readResource(GROUP_KIND, call.body);
    const owner = { organizationId, createdBy: principal.key.userId };
    const row = await runChange(parts, { ...call, action: 'scim-create-group' }, (tx) => makeGroup(tx, owner, document));
    return respondWith(GROUP_KIND, describeGroup(row), { query: call.query }, 201);
  },
});

export const replaceGroup = defineRoute({
  id: 'scim-replace-group',
  body: scimBody,
  takesParameters: true,
  run: async (call, parts) => {
    const document = readResource(GROUP_KIND, call.body);
    const row = await changeGroup(parts, { ...call, action: 'scim-replace-group' }, () => Promise.resolve(document));
    return respondWith(GROUP_KIND, describeGroup(row), { query: call.query });
  },
});

export const patchGroup = defineRoute({
  id: 'scim-patch-group',
  body: scimBody,
  takesParameters: true,
  run: async (call, parts) => {
    const row = await changeGroup(parts, { ...call, action: 'scim-patch-group' }, (before) => applyPatch(GROUP_KIND, before, call.body));
    return respondWith(GROUP_KIND, describeGroup(row), { query: call.query });
  },
});

export const deleteGroup = defineRoute({
  id: 'scim-delete-group',
  body: noBody,
  takesParameters: true,
  run: async (call, parts) => {
    const { organizationId, params } = call;
    await runChange(parts, { ...call, action: 'scim-delete-group' }, async (tx) => {
      const row = await lockGroupRow(tx, { organizationId, id: params['id'] });
      checkIfMatch(call.ifMatch, describeGroupVersion(row));
      return endGroup(tx, row);
    });
    return done;
  },
});

/** Ends a transaction in which there is nothing to change: directories repeat themselves, and the audit log shows changes. */
class Unchanged extends Error {
  constructor(readonly row: ScimGroupRow) {
    super('nothing is to be changed');
  }
}

type Changing = RawCall & { readonly action: string };

async function changeGroup(
  parts: RouteParts,
  call: Changing,
  edit: (document: ScimDocument) => Promise<ScimDocument>,
): Promise<ScimGroupRow> {
  const { organizationId, params } = call;
  return runChange(parts, call, async (tx) => {
    const row = await lockGroupRow(tx, { organizationId, id: params['id'] });
    checkIfMatch(call.ifMatch, describeGroupVersion(row));
    const before = readGroup(row);
    const document = await edit(before);
    if (isDeepStrictEqual(before, document)) throw new Unchanged(row);
    return saveGroup(tx, row, document);
  }).catch((error: unknown) => {
    if (error instanceof Unchanged) return error.row;
    throw error;
  });
}
