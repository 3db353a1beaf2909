import { z } from 'zod';
import type { VaultReader } from '../create-secret-source';
import { SecretUnavailable, type ReadOptions } from '../secret-source';
import { createVaultSession, type VaultLogin } from './create-vault-session';
import { explainStatus } from './explain-status';
import { createVaultSender } from './send-to-vault';

export type VaultSettings = {
  readonly address: string;
  readonly login: VaultLogin;
  readonly namespace?: string | undefined;
  readonly certificates?: string | undefined;
  readonly timeoutMs?: number;
  /** What was read is taken again for so long. */
  readonly keptMs?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
};

const secretOfVersion = z.object({
  data: z.object({
    data: z.record(z.string(), z.unknown()).nullable(),
    metadata: z.object({ version: z.number().int(), destroyed: z.boolean().optional(), deletion_time: z.string().optional() }),
  }),
});

type Fields = Readonly<Record<string, unknown>>;
type Kept = { readonly fields: Promise<Fields>; readonly atMs: number };

const TIMEOUT_MS = 5_000;
const KEPT_MS = 4_000;

/** Reads fields of secrets in the KV engine, version 2. Fields of one secret are one question. */
export function createVaultReader(settings: VaultSettings): VaultReader {
  const { address, login, namespace, certificates, timeoutMs = TIMEOUT_MS, keptMs = KEPT_MS } = settings;
  const now = settings.now ?? (() => performance.now());
  const send = createVaultSender({ address, certificates, timeoutMs });
  const namespaceHeaders = namespace === undefined ? {} : { 'x-vault-namespace': namespace };
  const session = createVaultSession({ login, send, namespaceHeaders, now });
  const kept = new Map<string, Kept>();

  const ask = async (path: string, isAgain = false): Promise<Fields> => {
    const headers = { ...namespaceHeaders, 'x-vault-token': await session.token() };
    const { status, json } = await send({ method: 'GET', path, headers });
    if (status === 403 && session.renounce() && !isAgain) return ask(path, true);
    if (status === 404 && isDeleted(json)) throw new SecretUnavailable(`${path}: the newest version was deleted in Vault`);
    if (status !== 200) throw explainStatus(status, path);
    const read = secretOfVersion.safeParse(json);
    if (!read.success || read.data.data.data === null) {
      throw new SecretUnavailable(`${path}: Vault replied with what is no secret of its KV engine, version 2`);
    }
    return read.data.data.data;
  };
  const find = (path: string, { isFresh = false }: ReadOptions): Promise<Fields> => {
    const known = kept.get(path);
    if (known !== undefined && !isFresh && now() - known.atMs < keptMs) return known.fields;
    const fields = ask(path);
    kept.set(path, { fields, atMs: now() });
    // What failed is not kept: the next one asks again.
    fields.catch(() => kept.delete(path));
    return fields;
  };

  return {
    readField: async (path, field, options = {}) => {
      const fields = await find(path, options);
      const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
      if (typeof value === 'string') return value.trim();
      throw new SecretUnavailable(`${path} in Vault has no text in its field "${field}"`);
    },
  };
}

function isDeleted(json: unknown): boolean {
  const read = secretOfVersion.safeParse(json);
  return read.success && read.data.data.data === null;
}
