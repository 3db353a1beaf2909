import { randomUUID } from 'node:crypto';
import type { ProviderSecretBody } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { GatewayError } from '@weir/errors';
import type { SealedSecret } from '@weir/sealing';
import type { RouteParts } from '../route/management-parts';
import type { AccountFields } from '../ports/provider-accounts';
import { selectPage, type PagePlan } from './pages';
import { notFound } from './require-id';

type CredentialRow = Prisma.ProviderCredentialGetPayload<object>;

/** Below this length the last four characters would be too much of a secret to show. */
const SHOWN_LENGTH_MIN = 16;

export async function getCredential(tx: Prisma.TransactionClient, organizationId: string, id: string): Promise<CredentialRow> {
  const credential = await tx.providerCredential.findFirst({ where: { id, organizationId } });
  if (credential === null) throw notFound('provider credential', id);
  return credential;
}

export async function listCredentials(tx: Prisma.TransactionClient, organizationId: string, plan: PagePlan): Promise<CredentialRow[]> {
  const { where, ...page } = selectPage(plan, 'id');
  return tx.providerCredential.findMany({ where: { organizationId, ...where }, ...page });
}

/** A credential as callers and the audit log see it: of the secret, the end alone. */
export function describeCredential(credential: CredentialRow): Prisma.InputJsonObject {
  return {
    id: credential.id,
    provider: credential.provider,
    name: credential.name,
    mode: credential.mode,
    last4: credential.last4,
    version: credential.version,
    created_at: credential.createdAt.toISOString(),
    updated_at: credential.updatedAt.toISOString(),
  };
}

/** An account as a body describes it, and the value that people recognize it by. */
type GivenAccount = { readonly provider: string; readonly fields: AccountFields; readonly secret: string };

/** The account that a body describes, checked against what its provider needs. Throws `invalid_request` naming the field. */
export async function readAccount(provider: string, body: ProviderSecretBody, parts: RouteParts): Promise<GivenAccount> {
  const fields: AccountFields = body.fields ?? { api_key: body.api_key ?? '' };
  const { providerAccounts } = parts;
  if (providerAccounts === undefined) {
    if (parts.catalog.list().some((record) => record.provider === provider)) return { provider, fields, secret: fields['api_key'] ?? '' };
    throw unknownProvider(provider);
  }
  const { problem, secret } = await providerAccounts.inspect(provider, fields);
  if (problem === undefined) return { provider, fields, secret };
  if (problem.field === undefined) throw unknownProvider(provider);
  const path = body.fields === undefined && problem.field === 'api_key' ? 'api_key' : `fields.${problem.field}`;
  if (problem.kind === 'unknown-field') throw new GatewayError('unsupported_field', `Unknown field \`${path}\`.`, { field: path });
  throw refuseField(path, problem.message);
}

function unknownProvider(provider: string): GatewayError {
  return refuseField('provider', `"${provider}" is not a provider this gateway can call`);
}

function refuseField(field: string, reason: string): GatewayError {
  return new GatewayError('invalid_request', `\`${field}\` is not valid: ${reason}`, { field });
}

type SealedColumns = Pick<CredentialRow, 'nonce' | 'ciphertext' | 'tag' | 'dataKeyId' | 'fingerprint' | 'last4' | 'version'>;

export function createCredentialId(): string {
  return randomUUID();
}

/** What is stored of an account. Not within a transaction: a data key may have to be made first. */
export async function sealAccount(
  { vault }: RouteParts,
  { fields, secret }: GivenAccount,
  place: { organizationId: string; recordId: string; version: number },
): Promise<SealedColumns> {
  const sealed = await vault.seal(JSON.stringify(fields), place);
  return { ...toColumns(sealed), last4: secret.length < SHOWN_LENGTH_MIN ? '' : secret.trim().slice(-4), version: place.version };
}

function toColumns({ nonce, ciphertext, tag, fingerprint, dataKeyId }: SealedSecret): Omit<SealedColumns, 'last4' | 'version'> {
  const [a, b, c, d] = [nonce, ciphertext, tag, fingerprint].map((bytes) => new Uint8Array(bytes)) as [Bytes, Bytes, Bytes, Bytes];
  return { nonce: a, ciphertext: b, tag: c, fingerprint: d, dataKeyId };
}
type Bytes = Uint8Array<ArrayBuffer>;

export async function openAccount({ vault }: RouteParts, row: CredentialRow): Promise<AccountFields> {
  const { organizationId, id: recordId, version, dataKeyId } = row;
  const box = { nonce: Buffer.from(row.nonce), ciphertext: Buffer.from(row.ciphertext), tag: Buffer.from(row.tag), dataKeyId };
  return JSON.parse(await vault.open(box, { organizationId, recordId, version })) as AccountFields;
}

/** Throws `conflict` when the organization keeps this very account of this provider already. */
export async function checkIsNewAccount(
  tx: Prisma.TransactionClient,
  { organizationId, provider, fingerprint }: Pick<CredentialRow, 'organizationId' | 'provider' | 'fingerprint'>,
): Promise<void> {
  const same = await tx.providerCredential.findFirst({ where: { organizationId, provider, fingerprint }, select: { id: true } });
  if (same !== null) throw new GatewayError('conflict', `This secret is kept already, as the provider credential "${same.id}".`);
}
