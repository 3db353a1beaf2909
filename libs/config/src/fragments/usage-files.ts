import { USAGE_DATASETS, USAGE_FILE_FORMATS, type UsageDataset, type UsageFileFormat } from '@weir/contracts';
import { z } from 'zod';
import { flag, httpUrl, integer } from '../values';

const list = z.string().transform((text) => [
  ...new Set(
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  ),
]);

/** No slash at its ends: keys are made by putting it in front. */
const prefix = z
  .string()
  .max(500)
  .regex(/^[A-Za-z0-9!_.*'()/-]*$/, 'must be made of letters, digits, slashes and - _ . ! * ’ ( )')
  .transform((text) => text.replace(/^\/+|\/+$/g, ''));

/** Usage as files in a bucket. Without a bucket nothing is exported. */
export const usageFilesEnv = z.object({
  USAGE_FILES_BUCKET: z.string().min(3).optional(),
  USAGE_FILES_PREFIX: prefix.default('weir-usage'),
  USAGE_FILES_REGION: z.string().min(1).default('us-east-1'),
  /** Of a store that speaks S3 and is not Amazon's. */
  USAGE_FILES_ENDPOINT: httpUrl.optional(),
  /** Absent: the machine's own credentials, as Amazon's tools find them. */
  USAGE_FILES_ACCESS_KEY_ID: z.string().min(1).optional(),
  USAGE_FILES_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  /** Puts the bucket's name into the path instead of the host name, as most stores other than Amazon's want it. */
  USAGE_FILES_PATH_STYLE: flag.default(false),
  /** Has the store encrypt what it keeps. */
  USAGE_FILES_ENCRYPTION: z.enum(['none', 'AES256', 'aws:kms']).default('none'),
  /** Of the kind `aws:kms`; absent: the bucket's own. */
  USAGE_FILES_KMS_KEY_ID: z.string().min(1).optional(),
  USAGE_FILES_FORMATS: list.pipe(z.array(z.enum(USAGE_FILE_FORMATS)).min(1)).default([...USAGE_FILE_FORMATS]),
  USAGE_FILES_DATASETS: list.pipe(z.array(z.enum(USAGE_DATASETS)).min(1)).default([...USAGE_DATASETS]),
  /** Ids of organizations; absent: all. */
  USAGE_FILES_ORGANIZATIONS: list.pipe(z.array(z.uuid()).min(1)).optional(),
  /** How many days that are over are looked after: those that have no files get some, those that changed get the next revision. */
  USAGE_FILES_DAYS: integer(1, 120).default(45),
});

export type UsageFileSettings = {
  readonly bucket: string;
  readonly prefix: string;
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  readonly isPathStyle: boolean;
  readonly encryption: { readonly kind: 'none' | 'AES256' | 'aws:kms'; readonly kmsKeyId: string | undefined };
  readonly formats: readonly UsageFileFormat[];
  readonly datasets: readonly UsageDataset[];
  /** Null: all. */
  readonly organizations: readonly string[] | null;
  readonly days: number;
};

/** What the settings say together; undefined where they name no bucket. Throws where one of them is missing. */
export function readUsageFileSettings(env: z.infer<typeof usageFilesEnv>): UsageFileSettings | undefined {
  const { USAGE_FILES_BUCKET: bucket, USAGE_FILES_ACCESS_KEY_ID: accessKeyId, USAGE_FILES_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    throw new Error('USAGE_FILES_ACCESS_KEY_ID and USAGE_FILES_SECRET_ACCESS_KEY: must be set together');
  if (bucket === undefined) return undefined;
  return {
    bucket,
    prefix: env.USAGE_FILES_PREFIX,
    region: env.USAGE_FILES_REGION,
    endpoint: env.USAGE_FILES_ENDPOINT,
    credentials: accessKeyId === undefined || secretAccessKey === undefined ? undefined : { accessKeyId, secretAccessKey },
    isPathStyle: env.USAGE_FILES_PATH_STYLE,
    encryption: { kind: env.USAGE_FILES_ENCRYPTION, kmsKeyId: env.USAGE_FILES_KMS_KEY_ID },
    formats: env.USAGE_FILES_FORMATS,
    datasets: env.USAGE_FILES_DATASETS,
    organizations: env.USAGE_FILES_ORGANIZATIONS?.map((id) => id.toLowerCase()) ?? null,
    days: env.USAGE_FILES_DAYS,
  };
}
