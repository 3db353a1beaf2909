// This library makes loggers that cannot leak secrets, metrics, and traces.
export { createAccountMetrics } from './account-metrics';
export { isForPeople } from './log-format';
export { createAttemptMetrics, type AttemptMetrics } from './attempt-metrics';
export { createLogger, type Logger } from './create-logger';
export { findLineWriter, isPlainText } from './line-writer';
export { registerJournalMetrics, createGapCounter, createHarmCounter, type JournalReading } from './journal-metrics';
export {
  createMetricsRegistry,
  createRequestMetrics,
  createMeteringMetrics,
  createHoldMetrics,
  createPassportMetrics,
  createContentMetrics,
  createReplayMetrics,
  createRateMetrics,
  type MetricsRegistry,
  type RequestMetrics,
} from './metrics';
export { createProviderQueueMetrics } from './provider-queue-metrics';
export { redactSecrets } from './redact';
export { createRowSecurityMetric } from './row-security-metric';
export { createSecretAlertCounter } from './secret-alert-counter';
export { createServerMetrics, type ServerMetrics } from './server-metrics';
export { createUpstreamMetrics } from './upstream-metrics';
export { openTracing } from './tracing/open-tracing';
export { isTraceKept } from './tracing/trace-parent';
export type { SpanAttributes, RunningSpan, Tracing } from './tracing/tracing';
