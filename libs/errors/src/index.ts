// This library holds the error catalogue, the one error class and the envelopes in which callers receive errors.
export * from './error-catalogue';
export * from './gateway-error';
export * from './invariant';
export * from './envelopes/encode-error';
