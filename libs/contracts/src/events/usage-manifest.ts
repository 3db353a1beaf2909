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
  key: z.string().describe('Key of the object in the bucket.'),
  dataset: z.enum(USAGE_DATASETS).describe('What its rows are. Others may come.'),
  format: z.enum(USAGE_FILE_FORMATS),
  compression: z.enum(['snappy', 'gzip']).describe('`snappy` within Parquet; `gzip` of the CSV file as a whole.'),
  rows: z.int().min(0).describe('Without the heading.'),
  bytes: z.int().min(0).describe('Size of the object.'),
  sha256: digest.describe('SHA-256 of the object, in lower-case hexadecimal.'),
  sums: z.record(z.string(), decimal).describe('What its columns add up to, as exact decimal text.'),
});
export type ExportedFile = z.infer<typeof exportedFile>;

/** Written last: files are whole, and of one state of the day, when a manifest names them. It is never changed. */
export const usageManifest = z.object({
  v: z.literal(1).describe('Version of the manifest. Fields are only added within a version.'),
  organization_id: z.uuid(),
  day: z.iso.date().describe('In UTC.'),
  revision: z.int().min(1).describe('1 for the first export of the day; the highest one takes the place of those before as a whole.'),
  supersedes: z
    .object({
      revision: z.int().min(1),
      manifest: z.string().describe('Key of its manifest.'),
      sha256: digest.describe('SHA-256 of its manifest.'),
    })
    .nullable()
    .describe('The revision whose place this one takes; null for the first.'),
  as_of: z.iso.datetime().describe('When this state of the day was first seen; in every row as well.'),
  fingerprint: z.string().describe('Equal for equal states of the day.'),
  totals: z.record(z.enum(USAGE_MEASURES), decimal).describe('The day by every measure, as exact decimal text; money in USD.'),
  files: z.array(exportedFile).describe('Every file of the revision, by its key.'),
  left_out: z
    .array(z.object({ dataset: z.enum(USAGE_DATASETS), reason: z.string().describe('For people.') }))
    .describe('Datasets that could not be had any more when the day was exported.'),
});
export type UsageManifest = z.infer<typeof usageManifest>;
