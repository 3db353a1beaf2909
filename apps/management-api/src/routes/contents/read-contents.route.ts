import { findContents, type KeptContents } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { runChange } from '../../changes/run-change';
import { defineRoute, noBody, ok, type RawCall } from '../../route/route';

/** What was sent and returned in one request, where the organization has that kept. Each reading is in the audit log. */
export const readContents = defineRoute({
  id: 'read-contents',
  body: noBody,
  run: async (call, parts) => {
    const { organizationId, params } = call;
    const { request_id: requestId = '' } = params;
    const asked = { organizationId, requestId, nowMs: parts.now() };
    const found = await findContents({ database: parts.database.asOrganization(organizationId), vault: parts.vault }, asked);
    // Nothing is revealed of what the caller may not see, not even that it is kept.
    if (found === undefined || !maySee(call, found)) throw notKept();
    const after = { owner_id: found.userId, api_key_id: found.apiKeyId, kept_until: found.keptUntil.toISOString() };
    await runChange(parts, { ...call, action: 'read-contents' }, () =>
      Promise.resolve({
        result: undefined,
        audit: { targetKind: 'request', targetId: requestId, before: null, after },
        changed: [],
      }),
    );
    return ok(describeContents(found));
  },
});

/** As of the request itself: keys of administrators that manage see all of the organization, others what they and their member asked. */
function maySee({ principal: { key } }: Pick<RawCall, 'principal'>, { apiKeyId, userId }: KeptContents): boolean {
  return (
    (key.isAdministrator && key.permissions.manage !== 'none') ||
    key.apiKeyId === apiKeyId ||
    (key.userId !== null && key.userId === userId)
  );
}

function notKept(): GatewayError {
  return new GatewayError(
    'not_found',
    'No contents of this request are kept: its organization keeps none or did not at the time, it was under zero retention, a guardrail took something out of it, it asked for images, sound or files, it ended a moment ago, or their time is over.',
  );
}

function describeContents({ request, response, keptUntil }: KeptContents): Record<string, unknown> {
  const { body, status, contentType, isCut } = response;
  return {
    request: { body: request.body, is_cut: request.isCut },
    response: { body, status, content_type: contentType, is_cut: isCut },
    kept_until: keptUntil.toISOString(),
  };
}
