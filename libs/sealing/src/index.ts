// This library seals secrets for storage: a data key per organization, wrapped by a key-encryption key.
export { closeBox, openBox, packBox, unpackBox, type Box } from './authenticated-box';
export * from './create-caller-box';
export * from './create-key-ring';
export * from './create-transit-sealer';
export * from './create-vault';
export * from './data-key-store';
export { openSecret, sealSecret, type SealedSecret, type SecretPlace } from './seal-secret';
