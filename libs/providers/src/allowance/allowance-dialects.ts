import type { AllowanceMeasureName } from '@weir/contracts';
import { readDuration, readMoment, readSeconds, type ReadReset } from './read-reset';

/** The headers of one measure. A header that a provider does not send is absent. */
export type MeasureHeaders = {
  readonly limit?: string;
  readonly remaining: string;
  readonly reset?: string;
};

/** How the providers of one family write what is left of their limits. */
export type AllowanceDialect = {
  readonly measures: Readonly<Partial<Record<AllowanceMeasureName, MeasureHeaders>>>;
  readonly readReset: ReadReset;
  readonly refill: 'steady' | 'window';
};

/**
 * One row per family of headers. Their names do not overlap, so the first row that finds a measure is the one: it needs no knowledge
 * of whose address was called, and works behind a proxy. In the first row, requests are those of a minute at most providers and
 * those of a day at Groq; tokens are always those of a minute. The reset says it, so nothing else has to.
 */
export const ALLOWANCE_DIALECTS: readonly AllowanceDialect[] = [
  {
    // OpenAI, Azure, Groq and most that imitate them. "6m0s", "20ms"; seconds without a unit from Azure.
    measures: {
      requests: {
        limit: 'x-ratelimit-limit-requests',
        remaining: 'x-ratelimit-remaining-requests',
        reset: 'x-ratelimit-reset-requests',
      },
      tokens: { limit: 'x-ratelimit-limit-tokens', remaining: 'x-ratelimit-remaining-tokens', reset: 'x-ratelimit-reset-tokens' },
    },
    readReset: readDuration,
    refill: 'steady',
  },
  {
    // Anthropic: moments by RFC 3339.
    measures: {
      requests: {
        limit: 'anthropic-ratelimit-requests-limit',
        remaining: 'anthropic-ratelimit-requests-remaining',
        reset: 'anthropic-ratelimit-requests-reset',
      },
      tokens: {
        limit: 'anthropic-ratelimit-tokens-limit',
        remaining: 'anthropic-ratelimit-tokens-remaining',
        reset: 'anthropic-ratelimit-tokens-reset',
      },
      inputTokens: {
        limit: 'anthropic-ratelimit-input-tokens-limit',
        remaining: 'anthropic-ratelimit-input-tokens-remaining',
        reset: 'anthropic-ratelimit-input-tokens-reset',
      },
      outputTokens: {
        limit: 'anthropic-ratelimit-output-tokens-limit',
        remaining: 'anthropic-ratelimit-output-tokens-remaining',
        reset: 'anthropic-ratelimit-output-tokens-reset',
      },
    },
    readReset: readMoment,
    refill: 'steady',
  },
  {
    // Mistral names the windows and says no reset; that of the month is too long to wait for.
    measures: {
      requests: { limit: 'x-ratelimit-limit-req-10-second', remaining: 'x-ratelimit-remaining-req-10-second' },
      tokens: { limit: 'x-ratelimit-limit-tokens-minute', remaining: 'x-ratelimit-remaining-tokens-minute' },
    },
    readReset: readSeconds,
    refill: 'window',
  },
  {
    // Together and others: one limit, of requests, in seconds.
    measures: { requests: { limit: 'x-ratelimit-limit', remaining: 'x-ratelimit-remaining', reset: 'x-ratelimit-reset' } },
    readReset: readSeconds,
    refill: 'window',
  },
  {
    // Replicate and others, as an IETF draft has it.
    measures: { requests: { limit: 'ratelimit-limit', remaining: 'ratelimit-remaining', reset: 'ratelimit-reset' } },
    readReset: readSeconds,
    refill: 'window',
  },
];
