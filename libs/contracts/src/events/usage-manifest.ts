import { z } from 'zod';

/**
 * What is exported of a day, each a file of its own. `events`: every attempt and correction. `hours`, `days`: sums by everything that
 * usage is kept by. `keys`, `models`: sums of the day by fewer dimensions. `focus`: FOCUS 1.2.
 */
export const USAGE_DATASETS = ['events', 'hours', 'days', 'keys', 'models', 'focus'] as const;
export type UsageDataset = (typeof USAGE_DATASETS)[number];

export const USAGE_FILE_FORMATS = ['parquet', 'csv'] as const;
export type UsageFileFormat = (typeof USAGE_FILE_FORMATS)[number];

/** What is added up of a day, by the names of columns. Counts are whole, those that end with `_usd` have up to twelve places. */
export const USAGE_MEASURES = [
  'requests',
  'attempts',
  'errors',
  'input_tokens',
  'cached_tokens',
  'cache_write_tokens',
  'output_tokens',
  'reasoning_tokens',
  'searches',
  'images',
  'characters',
  'audio_ms',
  'spend_usd',
  'billed_usd',
] as const;
export type UsageMeasure = (typeof USAGE_MEASURES)[number];

const decimal = z.string().regex(/^-?\d+(\.\d{1,12})?$/);
const digest = z.string().regex(/^[0-9a-f]{64}$/);

const exportedFile = z.object({
  /** Of the object in the bucket. */
  key: z.string(),
  dataset: z.enum(USAGE_DATASETS),
  format: z.enum(USAGE_FILE_FORMATS),
  compression: z.enum(['snappy', 'gzip']),
  rows: z.int().min(0),
  bytes: z.int().min(0),
  /** SHA-256 of the object, in lower-case hexadecimal. */
  sha256: digest,
  /** By column: exact decimal text. */
  sums: z.record(z.string(), decimal),
});
export type ExportedFile = z.infer<typeof exportedFile>;

/** Written last: files are whole, and of one state of the day, when a manifest names them. It is never changed. */
export const usageManifest = z.object({
  v: z.literal(1),
  organization_id: z.uuid(),
  day: z.iso.date(),
  /** 1 for the first export of the day; the next one takes its place. */
  revision: z.int().min(1),
  /** The revision whose place this one takes, with the digest of its manifest; null for the first. */
  supersedes: z.object({ revision: z.int().min(1), manifest: z.string(), sha256: digest }).nullable(),
  /** When this state of the day was first seen. */
  as_of: z.iso.datetime(),
  /** Of the rows that the files were made of: equal for equal states of the day. */
  fingerprint: z.string(),
  totals: z.record(z.enum(USAGE_MEASURES), decimal),
  files: z.array(exportedFile),
  /** Datasets that could not be exported any more, and why. */
  left_out: z.array(z.object({ dataset: z.enum(USAGE_DATASETS), reason: z.string() })),
});
export type UsageManifest = z.infer<typeof usageManifest>;
