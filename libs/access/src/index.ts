// This library decides who is calling, and whether that key may do this with this model.
export * from './api-key-format';
export * from './authenticate-key';
export * from './check-data-policy';
export * from './check-model-allowed';
export * from './check-permission';
export * from './key-cache';
export * from './key-peppers';
export * from './organization-rules-cache';
export * from './ports/change-notices';
export * from './ports/key-directory';
export * from './ports/organization-directory';
export * from './ports/organization-rules';
export * from './ports/reply-cache';
export * from './ports/principal';
export * from './read-credential';
export * from './watch-changes';
