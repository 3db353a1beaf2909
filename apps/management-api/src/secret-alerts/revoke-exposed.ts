import { digestApiKey, isPlausibleApiKey } from '@weir/access';
import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import { runChange } from '../changes/run-change';
import type { ManagementParts } from '../route/management-parts';
import { NO_PREVIOUS_SECRET } from '../records/api-key-secret';
import { auditApiKey, getApiKey, type ApiKeyRow } from '../records/api-keys';
import type { ExposedToken } from './read-secret-alert';

type ReportCaller = { readonly requestId: string; readonly ip: string | null };

/** `unknown`: no key of ours; `known`: one that opened nothing any more; `revoked`: one that opens nothing from now on. */
type TokenVerdict = 'unknown' | 'known' | 'revoked';

type Parts = Pick<ManagementParts, 'database' | 'changeNotices' | 'peppers' | 'now' | 'log'>;
type FoundKey = { readonly id: string; readonly organizationId: string };

/**
 * Revokes every key that was found in public, each in its own organization. Returns the verdict for each distinct token.
 * A key that cannot be revoked keeps none of the others open: its error is thrown after the last.
 */
export async function revokeExposed(
  parts: Parts,
  exposed: readonly ExposedToken[],
  caller: ReportCaller,
): Promise<ReadonlyMap<string, TokenVerdict>> {
  const places = new Map(exposed.map((each) => [each.token, each]));
  const found = await findKeys(parts, [...places.keys()].filter(isPlausibleApiKey));
  const verdicts = new Map<string, TokenVerdict>();
  const failures: unknown[] = [];
  for (const [token, place] of places) {
    const key = found.get(token);
    try {
      verdicts.set(token, key === undefined ? 'unknown' : await revoke(parts, { key, place, digests: digestsOf(token, parts) }, caller));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
  return verdicts;
}

const TOKENS_AT_ONCE = 500;

/** By token: the key it opens or opened. */
async function findKeys(parts: Parts, tokens: readonly string[]): Promise<ReadonlyMap<string, FoundKey>> {
  const found: (readonly [token: string, key: FoundKey])[] = [];
  for (let at = 0; at < tokens.length; at += TOKENS_AT_ONCE) found.push(...(await findSome(parts, tokens.slice(at, at + TOKENS_AT_ONCE))));
  return new Map(found);
}

/** As the owner of the tables, because no one said whose keys they are. */
async function findSome({ database, peppers }: Parts, tokens: readonly string[]): Promise<(readonly [string, FoundKey])[]> {
  const digested = tokens.flatMap((token) => digestsOf(token, { peppers }).map((digest) => ({ token, digest })));
  const tokenOf = new Map(digested.map(({ token, digest }) => [toHex(digest), token]));
  const hashes = { in: digested.map(({ digest }) => digest) };
  const rows = await database.prisma.apiKey.findMany({
    where: { OR: [{ hash: hashes }, { formerHash: hashes }, { previousHash: hashes }] },
    select: { id: true, organizationId: true, hash: true, formerHash: true, previousHash: true },
  });
  return rows.flatMap(({ id, organizationId, ...digests }) =>
    Object.values(digests).flatMap((digest) => {
      const token = digest === null ? undefined : tokenOf.get(toHex(digest));
      return token === undefined ? [] : [[token, { id, organizationId }] as const];
    }),
  );
}

type Exposure = { readonly key: FoundKey; readonly place: ExposedToken; readonly digests: readonly Uint8Array[] };

async function revoke(parts: Parts, exposure: Exposure, caller: ReportCaller): Promise<TokenVerdict> {
  const { key, place } = exposure;
  try {
    await close(parts, exposure, caller);
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'conflict') return 'known';
    throw error;
  }
  const about = { organizationId: key.organizationId, apiKeyId: key.id, source: place.source };
  parts.log.warn(about, 'an API key was found in public, and opens nothing from now on');
  return 'revoked';
}

/** Throws `conflict` when it opened nothing any more. */
async function close(parts: Parts, { key: { id, organizationId }, place, digests }: Exposure, caller: ReportCaller): Promise<void> {
  const actor = { kind: 'operator', id: 'secret-alert' } as const;
  await runChange(parts, { ...caller, organizationId, action: 'secret-alert', actor }, async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM api_key WHERE id = ${id}::uuid AND organization_id = ${organizationId}::uuid FOR UPDATE`;
    const row = await getApiKey(tx, organizationId, id);
    const data = planClosing(row, digests, new Date(parts.now()));
    if (data === undefined) throw new GatewayError('conflict', 'The key opens nothing any more.');
    await tx.apiKey.update({ where: { id }, data: { ...data, version: { increment: 1 } } });
    const after = auditApiKey(await getApiKey(tx, organizationId, id));
    const { type, source, url } = place;
    return {
      result: undefined,
      audit: { targetKind: 'api-key', targetId: id, before: auditApiKey(row), after: { ...after, found_in_public: { type, source, url } } },
      changed: [{ entity: 'api-key', entityId: id }],
    };
  });
}

/** The secret before a rotation loses its overlap; the one in force takes the key with it. Undefined where neither opens anything. */
function planClosing(row: ApiKeyRow, digests: Exposure['digests'], now: Date): Prisma.ApiKeyUncheckedUpdateInput | undefined {
  const isReported = (digest: Uint8Array | null): boolean => digest !== null && digests.some((each) => toHex(each) === toHex(digest));
  if (row.status !== 'active') return undefined;
  if (isReported(row.hash) || isReported(row.formerHash)) return { status: 'revoked', revokedAt: now };
  const isGood = isReported(row.previousHash) && row.previousHashExpiresAt !== null && row.previousHashExpiresAt > now;
  return isGood ? NO_PREVIOUS_SECRET : undefined;
}

function digestsOf(token: string, { peppers: { current, previous } }: Pick<Parts, 'peppers'>): Uint8Array<ArrayBuffer>[] {
  return [current, ...(previous === undefined ? [] : [previous])].map((pepper) => new Uint8Array(digestApiKey(token, pepper)));
}

function toHex(digest: Uint8Array): string {
  return Buffer.from(digest).toString('hex');
}
