// This room is the only code that opens outbound HTTP: to providers and to our own workers.
export * from './upstream-transport';
