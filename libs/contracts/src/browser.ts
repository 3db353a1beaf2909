// What browsers take of this library (condition `@weir/browser` of its manifest): bodies and their problems, nothing of Node.
export * from './bodies/validate-body';
export * from './management/access-lists';
export * from './management/alerts';
export * from './management/aliases';
export * from './management/api-keys';
export * from './management/balance';
export * from './management/groups';
export * from './management/guardrails';
export * from './management/limit-dimensions';
export * from './management/limits';
export * from './management/members';
export * from './management/organization';
export * from './management/policies';
export * from './management/provider-credentials';
