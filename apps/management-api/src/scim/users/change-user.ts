import { isDeepStrictEqual } from 'node:util';
import { runChange } from '../../changes/run-change';
import { admitAtIdentityProvider } from '../../identity/admit-at-identity-provider';
import { finishOffboarding } from '../../identity/finish-offboarding';
import { keepAnAdministrator } from '../../records/administrators';
import type { RouteParts } from '../../route/management-parts';
import type { RawCall } from '../../route/route';
import type { ScimDocument } from '../protocol/attribute';
import { checkIfMatch } from '../protocol/etag';
import { describeVersion, readUser } from './describe-user';
import { saveUser } from './save-user';
import { lockUserRow, type UserRow } from './user-rows';

type Call = Pick<RawCall, 'organizationId' | 'principal' | 'requestId' | 'ip' | 'params' | 'ifMatch'> & { readonly action: string };

/** Ends a transaction in which there is nothing to change: directories repeat themselves, and the audit log shows changes. */
class Unchanged extends Error {
  constructor(readonly row: UserRow) {
    super('nothing is to be changed');
  }
}

/**
 * Makes a member what `edit` makes of the resource they are. What is left to do at the identity provider follows; after a 502 the
 * same request finishes it.
 */
export async function changeUser(parts: RouteParts, call: Call, edit: (document: ScimDocument) => Promise<ScimDocument>): Promise<UserRow> {
  const { organizationId } = call;
  const at = { organizationId, nowMs: parts.now() };
  let wasActive = true;
  const row = await runChange(parts, call, (tx) =>
    keepAnAdministrator(tx, at, async () => {
      const found = await lockUserRow(tx, { organizationId, id: call.params['id'] });
      checkIfMatch(call.ifMatch, describeVersion(found));
      wasActive = found.status === 'active';
      const before = readUser(found);
      const document = await edit(before);
      if (isDeepStrictEqual(before, document)) throw new Unchanged(found);
      return saveUser(tx, at, { row: found, document });
    }),
  ).catch((error: unknown) => {
    if (error instanceof Unchanged) return error.row;
    throw error;
  });
  if (row.status !== 'active') await finishOffboarding(parts, row);
  else if (!wasActive) await admitAtIdentityProvider(parts, row);
  return row;
}
