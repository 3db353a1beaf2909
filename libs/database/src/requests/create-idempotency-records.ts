import { randomUUID } from 'node:crypto';
import type { Prisma } from '../generated/prisma/client';
import type { Queryable } from '../tenancy/organization-database';

/** A request under an Idempotency-Key, before it is looked at. */
export type IdempotentRequest = { readonly organizationId: string; readonly keyHash: Buffer; readonly requestSha256: Buffer };

/** The right to carry a request out; kept for a minute, then another process may try. */
export type IdempotencyClaim = IdempotentRequest & { readonly token: string };

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly claim: IdempotencyClaim }
  /** The response is there. */
  | { readonly kind: 'answered'; readonly reply: Buffer }
  /** The key stands for another request. */
  | { readonly kind: 'mismatch' }
  /** The same request is being carried out at this moment. */
  | { readonly kind: 'running' }
  /** The change was made, and the process that made it died before the response was kept. */
  | { readonly kind: 'lost' };

export type IdempotencyRecords = {
  claim(request: IdempotentRequest): Promise<ClaimOutcome>;
  /** Holds the claim for another minute. */
  renew(claim: IdempotencyClaim): Promise<void>;
  /** Keeps the response. */
  finish(claim: IdempotencyClaim, reply: Uint8Array): Promise<void>;
  /** Gives the claim back, so that the request may be sent again; with `onlyUnapplied` not when the change was made. */
  abandon(claim: IdempotencyClaim, options: { readonly onlyUnapplied: boolean }): Promise<void>;
  /** Forgets what is older than a day. */
  purge(): Promise<void>;
};

const CLAIM = {
  name: 'weir-idempotency-claim',
  text: `INSERT INTO idempotency_record AS r (organization_id, key_hash, request_sha256, token, locked_until, expires_at)
    VALUES ($1, $2, $3, $4, now() + interval '1 minute', now() + interval '24 hours')
    ON CONFLICT (organization_id, key_hash) DO UPDATE SET request_sha256 = excluded.request_sha256, token = excluded.token,
      locked_until = excluded.locked_until, expires_at = excluded.expires_at, reply = NULL, applied_at = NULL
    WHERE r.expires_at <= now()
      OR (r.request_sha256 = excluded.request_sha256 AND r.reply IS NULL AND r.applied_at IS NULL AND r.locked_until <= now())
    RETURNING 1`,
};
const READ = {
  name: 'weir-idempotency-read',
  text: `SELECT request_sha256, reply, applied_at IS NOT NULL AS is_applied, locked_until > now() AS is_locked FROM idempotency_record
    WHERE organization_id = $1 AND key_hash = $2`,
};
const MINE = 'organization_id = $1 AND key_hash = $2 AND token = $3';
const RENEW = {
  name: 'weir-idempotency-renew',
  text: `UPDATE idempotency_record SET locked_until = now() + interval '1 minute' WHERE ${MINE}`,
};
const FINISH = { name: 'weir-idempotency-finish', text: `UPDATE idempotency_record SET reply = $4 WHERE ${MINE}` };
const ABANDON = {
  name: 'weir-idempotency-abandon',
  text: `DELETE FROM idempotency_record WHERE ${MINE} AND (applied_at IS NULL OR NOT $4::boolean)`,
};

type Row = { request_sha256: Buffer; reply: Buffer | null; is_applied: boolean; is_locked: boolean };

/** Which requests were carried out under which Idempotency-Key, kept for a day. */
export function createIdempotencyRecords(source: Queryable): IdempotencyRecords {
  const mine = ({ organizationId, keyHash, token }: IdempotencyClaim): unknown[] => [organizationId, keyHash, token];
  return {
    claim: async (request) => {
      const claim = { ...request, token: randomUUID() };
      const { organizationId, keyHash, requestSha256 } = request;
      const { rowCount } = await source.query({ ...CLAIM, values: [organizationId, keyHash, requestSha256, claim.token] });
      if (rowCount === 1) return { kind: 'claimed', claim };
      const { rows } = await source.query<Row>({ ...READ, values: [organizationId, keyHash] });
      return describeRow(rows[0], requestSha256);
    },
    renew: async (claim) => void (await source.query({ ...RENEW, values: mine(claim) })),
    finish: async (claim, reply) => void (await source.query({ ...FINISH, values: [...mine(claim), reply] })),
    abandon: async (claim, { onlyUnapplied }) => void (await source.query({ ...ABANDON, values: [...mine(claim), onlyUnapplied] })),
    purge: async () => void (await source.query({ text: 'DELETE FROM idempotency_record WHERE expires_at <= now()' })),
  };
}

function describeRow(row: Row | undefined, requestSha256: Buffer): ClaimOutcome {
  // Gone since the claim was refused: its holder gave it back a moment ago, so the request may be sent again.
  if (row === undefined) return { kind: 'running' };
  if (!row.request_sha256.equals(requestSha256)) return { kind: 'mismatch' };
  if (row.reply !== null) return { kind: 'answered', reply: row.reply };
  if (row.is_locked) return { kind: 'running' };
  return { kind: row.is_applied ? 'lost' : 'running' };
}

/**
 * Notes, in the transaction of the change itself, that the claimed request is carried out. Returns false when the claim
 * belongs to another process by now; the transaction must then be rolled back.
 */
export async function markClaimApplied(tx: Prisma.TransactionClient, claim: IdempotencyClaim): Promise<boolean> {
  const { count } = await tx.idempotencyRecord.updateMany({
    where: { organizationId: claim.organizationId, keyHash: new Uint8Array(claim.keyHash), token: claim.token },
    data: { appliedAt: new Date() },
  });
  return count === 1;
}
