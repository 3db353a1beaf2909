// This library reads the secrets of accounts at providers from where they are kept: the environment, files, HashiCorp Vault.
export { nameReference, secretReference, type SecretReference, type SecretSource } from './secret-source';
export { createSecretSource } from './create-secret-source';
export { createVaultReader, type VaultSettings } from './vault/create-vault-reader';
export type { VaultLogin } from './vault/create-vault-session';
