// This room makes loggers that cannot leak secrets, and the metrics registry.
export * from './create-logger';
export * from './journal-metrics';
export * from './metrics';
export * from './redact';
