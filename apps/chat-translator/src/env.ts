import {
  bodyLimitEnv,
  catalogEnv,
  failPointEnv,
  fetchEnv,
  holdEnv,
  httpEnv,
  integer,
  journalEnv,
  kafkaEnv,
  passportEnv,
  redisEnv,
  telemetryEnv,
} from '@weir/config';
import { z } from 'zod';

/** How providers are called, in any shape of the system. */
export const upstreamSettings = z.object({
  /** Until a provider's reply begins. */
  UPSTREAM_HEADERS_TIMEOUT_MS: integer(100, 3_600_000).default(300_000),
  /** The longest silence inside a reply. */
  UPSTREAM_IDLE_TIMEOUT_MS: integer(100, 3_600_000).default(120_000),
  UPSTREAM_CONNECT_TIMEOUT_MS: integer(50, 60_000).default(3_000),
  /** Connections to one provider. */
  UPSTREAM_CONNECTIONS_MAX: integer(1, 100_000).default(2048),
  /** Keeps the caller's connection open while a provider thinks. */
  STREAM_HEARTBEAT_MS: integer(100, 600_000).default(15_000),
  /** All files together that are fetched for one request, because its provider does not fetch them itself. */
  INLINE_BYTES_MAX: integer(1024, 2 ** 29).default(32 * 1024 ** 2),
});

export const chatTranslatorEnv = z.object({
  ...httpEnv(4001).shape,
  ...bodyLimitEnv.shape,
  ...upstreamSettings.shape,
  ...fetchEnv.shape,
  ...passportEnv.shape,
  ...journalEnv.shape,
  ...kafkaEnv.shape,
  ...redisEnv.shape,
  ...telemetryEnv.shape,
  ...catalogEnv.shape,
  ...failPointEnv.shape,
  ...holdEnv.shape,
});
