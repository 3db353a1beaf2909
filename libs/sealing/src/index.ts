// This library seals secrets for storage: a data key per organization, wrapped by a key-encryption key.
export { createCallerBox, type CallerBox } from './create-caller-box';
export { createKeyRing, type KeyRing } from './create-key-ring';
export { createRingSealer, type RingSealer } from './create-ring-sealer';
export { createTransitSealer, type TransitSealer } from './create-transit-sealer';
export { createVault, type BytesSealer, type Vault } from './create-vault';
export type { WrappedDataKey, DataKeyStore } from './data-key-store';
export { openSecret, sealSecret, type SealedSecret, type SecretPlace } from './seal-secret';
