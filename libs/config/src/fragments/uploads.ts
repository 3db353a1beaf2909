import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { flag, httpUrl, integer } from '../values';

/** Receiving files. */
export const uploadEnv = z.object({
  /** Where files are stored while their requests run; nothing in it outlives the process. */
  UPLOAD_DIR: z.string().min(1).default(join(tmpdir(), 'weir-uploads')),
  UPLOAD_FILE_BYTES_MAX: integer(1024, 2 ** 31).default(25 * 1024 ** 2),
  /** All uploads of one process together; beyond it, more are refused with 503. */
  UPLOAD_DISK_BYTES_MAX: integer(1 << 20, 2 ** 46).default(4 * 1024 ** 3),
});

/** Keeping files and generated results. */
export const blobStoreEnv = z.object({
  BLOB_STORE: z.enum(['filesystem', 's3']).default('filesystem'),
  /** Of the kind `filesystem`; every process that serves files must see the same one. */
  BLOB_DIR: z.string().min(1).optional(),
  S3_BUCKET: z.string().min(3).optional(),
  /** Of a store that speaks S3 and is not Amazon's. */
  S3_ENDPOINT: httpUrl.optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  /** Absent: the machine's own credentials, as Amazon's tools find them. */
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
  /** Puts the bucket's name into the path instead of the host name, as most stores other than Amazon's want it. */
  S3_PATH_STYLE: flag.default(false),
  /** Has the store encrypt what it keeps. */
  S3_ENCRYPTION: z.enum(['none', 'AES256', 'aws:kms']).default('none'),
  /** Of the kind `aws:kms`; absent: the bucket's own. */
  S3_KMS_KEY_ID: z.string().min(1).optional(),
  /** How long an uploaded file is kept when its caller says nothing. */
  FILE_RETENTION_DAYS: integer(1, 3650).default(30),
  /** Uploaded files of one organization together. */
  FILE_BYTES_PER_ORGANIZATION_MAX: integer(1024, 2 ** 46).default(10 * 1024 ** 3),
  /** How long a generated result can be fetched by its address. */
  RESULT_RETENTION_MS: integer(1000, 30 * 86_400_000).default(3_600_000),
  /** Under which address callers know the gateway; absent: the one they called. Addresses of generated results begin with it. */
  PUBLIC_URL: httpUrl.optional(),
});
