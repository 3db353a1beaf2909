import type { OrganizationRules, SealedCredential } from '@weir/access';
import { GatewayError } from '@weir/errors';
import type { AccountFields, ProviderAccounts } from '@weir/providers';
import type { OwnKey } from '@weir/routing';
import type { TransitSealer, Vault } from '@weir/sealing';

export type OwnKeysParts = {
  /** Null where the edge was not given `SEALING_KEY`: organizations with keys of their own are then refused. */
  readonly vault: Pick<Vault, 'open'> | null;
  readonly accounts: Pick<ProviderAccounts, 'open'>;
  /** The worker opens what this seals. */
  readonly seal: Pick<TransitSealer, 'seal'>;
  readonly keysMax?: number;
};

export type OwnKeys = {
  /**
   * The organization's accounts at providers, sealed for workers, in order of their creation: at once when they are
   * known. Rejects with `dependency_down` when one cannot be opened, because going on without it would cost money.
   */
  find(organizationId: string, rules: OrganizationRules): readonly OwnKey[] | Promise<readonly OwnKey[]>;
};

const KEYS_MAX = 10_000;
const NONE: readonly OwnKey[] = [];

/** Opens stored credentials and seals them for the way to the worker, once per version. Plaintext is not kept. */
export function createOwnKeys({ vault, accounts, seal, keysMax = KEYS_MAX }: OwnKeysParts): OwnKeys {
  const known = new Map<string, OwnKey>();

  const open = async (organizationId: string, credential: SealedCredential): Promise<OwnKey> => {
    if (vault === null) throw new Error('SEALING_KEY is not set here, so stored credentials cannot be opened');
    const { id, name, provider: providerId, mode, version } = credential;
    const text = await vault.open(credential, { organizationId, recordId: id, version });
    const modalities = accounts.open(providerId, JSON.parse(text) as AccountFields)?.modalities ?? [];
    return { id, name, providerId, mode, modalities, credential: seal.seal(text, providerId) };
  };

  const forgetOldest = (): void => {
    const oldest = known.keys().next().value;
    if (oldest !== undefined) known.delete(oldest);
  };

  const openNew = async (organizationId: string, credential: SealedCredential): Promise<OwnKey> => {
    const name = nameOf(credential);
    const present = known.get(name);
    if (present !== undefined) return present;
    const key = await open(organizationId, credential).catch(failClosed);
    // Another request may have opened it meanwhile: then nothing has to be evicted for it.
    if (known.size >= keysMax && !known.has(name)) forgetOldest();
    known.set(name, key);
    return key;
  };

  return {
    find: (organizationId, { credentials }) => {
      if (credentials.length === 0) return NONE;
      const found = credentials.map((credential) => known.get(nameOf(credential)));
      if (found.every((key) => key !== undefined)) return found;
      return Promise.all(credentials.map((credential) => openNew(organizationId, credential)));
    },
  };
}

function nameOf({ id, version, mode, name }: SealedCredential): string {
  return `${id}|${version}|${mode}|${name}`;
}

function failClosed(cause: unknown): never {
  throw new GatewayError('dependency_down', "The organization's own provider keys cannot be opened at the moment. Try again shortly.", {
    cause,
  });
}
