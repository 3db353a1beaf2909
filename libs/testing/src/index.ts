// This library holds what tests share: a fake upstream, real parts, samples.
export * from './captures';
export * from './fake-upstream';
export * from './folders';
export * from './network';
export * from './parts';
export * from './samples';
export * from './search';
export * from './stream-grammar';
export * from './waiting';
export * from './workers';
