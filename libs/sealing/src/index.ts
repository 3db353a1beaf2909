// This room seals secrets for storage: a data key per organization, wrapped by a key-encryption key.
export {};
