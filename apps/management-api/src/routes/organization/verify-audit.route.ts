import { auditVerificationParameters } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import { parseBody } from '../../bodies/parse-body';
import { checkAuditEnd, verifyAuditStep } from '../../changes/verify-audit-step';
import { toHex } from '../../changes/verify-audit';
import { defineRoute, noBody, ok } from '../../route/route';

/** Verifies the organization's own audit log in steps, oldest first: `next` is the `cursor` of the following step, null on the last. */
export const verifyAudit = defineRoute({
  id: 'verify-audit',
  body: noBody,
  run: async ({ organizationId, query }, { database, now }) => {
    const { cursor, limit } = parseBody(auditVerificationParameters, query);
    const from = cursor === undefined ? undefined : BigInt(cursor);
    const { step, end } = await database.asOrganization(organizationId).transact(async (tx) => {
      const step = await verifyAuditStep(tx, { organizationId, from, limit });
      return { step, end: step?.isLast === true ? await checkAuditEnd(tx, organizationId) : undefined };
    });
    if (step === undefined) {
      throw new GatewayError('invalid_request', '`cursor` must be the `next` of the step before; begin again without it.', {
        field: 'cursor',
      });
    }
    const { entries, last, firstBroken, isLast } = step;
    return ok({
      verification: {
        entries,
        up_to: last === undefined ? null : { id: String(last.sequence), at: last.at.toISOString(), hash: toHex(last.hash) },
        first_broken:
          firstBroken === undefined ? null : { id: String(firstBroken.sequence), at: firstBroken.at.toISOString(), why: firstBroken.why },
        missing: end === undefined ? null : Number(end.missing),
        has_newest: end?.hasNewest ?? null,
        verified_at: new Date(now()).toISOString(),
      },
      next: isLast ? null : String(last?.sequence),
    });
  },
});
