// This library makes loggers that cannot leak secrets, metrics, and traces.
export * from './log-format';
export * from './attempt-metrics';
export * from './create-logger';
export * from './journal-metrics';
export * from './label-bound';
export * from './metrics';
export * from './redact';
export * from './row-security-metric';
export * from './secret-alert-counter';
export * from './server-metrics';
export * from './tracing/open-tracing';
export * from './tracing/trace-parent';
export * from './tracing/tracing';
