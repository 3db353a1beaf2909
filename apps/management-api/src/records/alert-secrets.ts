import type { RouteParts } from '../route/management-parts';

/** The place of every secret of an alert; another one takes it whole, so there is nothing to count. */
const SECRET_VERSION = 1;

type SealedColumns = {
  readonly nonce: Uint8Array<ArrayBuffer>;
  readonly ciphertext: Uint8Array<ArrayBuffer>;
  readonly tag: Uint8Array<ArrayBuffer>;
  readonly dataKeyId: string;
};

/** What webhooks are signed with, or an address that is itself a secret, as the columns of an alert. */
export async function sealAlertSecret(
  { vault }: Pick<RouteParts, 'vault'>,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
  secret: string,
): Promise<SealedColumns> {
  const { nonce, ciphertext, tag, dataKeyId } = await vault.seal(secret, { organizationId, recordId: id, version: SECRET_VERSION });
  return { nonce: new Uint8Array(nonce), ciphertext: new Uint8Array(ciphertext), tag: new Uint8Array(tag), dataKeyId };
}

type SealedRow = SealedColumns & { readonly id: string; readonly organizationId: string };

export async function openAlertSecret({ vault }: Pick<RouteParts, 'vault'>, row: SealedRow): Promise<string> {
  const { organizationId, id: recordId, dataKeyId } = row;
  const box = { nonce: Buffer.from(row.nonce), ciphertext: Buffer.from(row.ciphertext), tag: Buffer.from(row.tag), dataKeyId };
  return vault.open(box, { organizationId, recordId, version: SECRET_VERSION });
}
