// This room holds what tests share: fake upstream, real parts, conformance suites.
export * from './fake-upstream';
export * from './network';
export * from './parts';
export * from './search';
