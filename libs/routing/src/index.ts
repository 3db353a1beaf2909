// This room decides where a request goes, in which order, and when to move on.
export * from './plan-attempts';
export * from './run-attempts';
export * from './should-try-next';
