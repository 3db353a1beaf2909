// This library makes loggers that cannot leak secrets, metrics, and traces.
export { createAccountMetrics } from './account-metrics';
export { createCatalogMetrics } from './catalog-metrics';
export { isForPeople } from './log-format';
export { createAttemptMetrics, type AttemptMetrics } from './attempt-metrics';
export { createCounterStoreMetrics } from './counter-store-metrics';
export { createLogger, type Logger } from './create-logger';
export { chooseMetricsFormat, METRICS_CONTENT_TYPES, writeMetrics, type MetricsFormat } from './exposition/metrics-format';
export { createLimitPressureMetrics } from './limit-pressure-metrics';
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
export { createExportMetrics, type ExportProgress } from './log-export-metrics';
export type { LogRecord, LogSender } from './log-export/log-record';
export { openLogSender } from './log-export/open-log-sender';
export type { OtlpSettings } from './otlp/otlp-settings';
export { createGenAiMetrics, type GenAiMetrics } from './gen-ai-metrics';
export { openMetricsRegistry } from './open-metrics-registry';
export { createProviderQueueMetrics } from './provider-queue-metrics';
export { redactSecrets } from './redact';
export { createRoutingMetrics } from './routing-metrics';
export { createRowSecurityMetric } from './row-security-metric';
export { createConfigurationCounter } from './configuration-counter';
export { createSecretAlertCounter } from './secret-alert-counter';
export { seenIn } from './seen-in';
export { createServerMetrics, type ServerMetrics } from './server-metrics';
export { createUsageFeedMetrics, createUsageReadCounter } from './usage-feed-metrics';
export { createUsageFileMetrics, type UsageFileMetrics } from './usage-file-metrics';
export { createUpstreamMetrics } from './upstream-metrics';
export { openTracing } from './tracing/open-tracing';
export { describeTrace, isTraceKept, type TraceFields } from './tracing/trace-parent';
export type { SpanAttributes, RunningSpan, Tracing } from './tracing/tracing';
