import { z } from 'zod';
import { integer } from '../values';
import { guardrailEnv } from './guardrails';
import { providerAccountEnv } from './provider-accounts';

/** How workers call providers. */
export const upstreamEnv = z.object({
  /** Until a provider's reply begins. */
  UPSTREAM_HEADERS_TIMEOUT_MS: integer(100, 3_600_000).default(300_000),
  /** The longest silence inside a reply. */
  UPSTREAM_IDLE_TIMEOUT_MS: integer(100, 3_600_000).default(120_000),
  /** Until the first content of a streamed chat reply, where another place may be asked instead; twice that of a model that reasons. */
  STREAM_FIRST_CONTENT_MS: integer(100, 3_600_000).default(60_000),
  UPSTREAM_CONNECT_TIMEOUT_MS: integer(50, 60_000).default(3_000),
  /** Connections to one provider; absent: as many as the process can open. */
  UPSTREAM_CONNECTIONS_MAX: integer(1, 100_000).optional(),
  /** How long a call waits for one while all are in use. */
  UPSTREAM_WAIT_MS: integer(0, 600_000).default(2_000),
  /** How long a request waits for its turn at a provider that refuses requests for its rate; 0: it is refused too. */
  PROVIDER_QUEUE_MS: integer(0, 600_000).default(10_000),
  /** Keeps the caller's connection open while a provider thinks. */
  STREAM_HEARTBEAT_MS: integer(100, 600_000).default(15_000),
});

/** How providers are called, in any shape of the system. */
export const upstreamSettings = z.object({
  ...upstreamEnv.shape,
  ...providerAccountEnv.shape,
  /** All files together that are fetched for one request, because its provider does not fetch them itself. */
  INLINE_BYTES_MAX: integer(1024, 2 ** 29).default(32 * 1024 ** 2),
  ...guardrailEnv.shape,
});
