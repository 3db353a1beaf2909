import { S3Client, type PutObjectCommandInput } from '@aws-sdk/client-s3';

/** A bucket that exists, and how it is reached. */
export type S3Bucket = {
  readonly bucket: string;
  readonly region: string;
  /** Absent: Amazon's. */
  readonly endpoint?: string | undefined;
  /** Absent: the machine's own, as Amazon's tools find them. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  readonly isPathStyle: boolean;
  readonly encryption: { readonly kind: 'none' | 'AES256' | 'aws:kms'; readonly kmsKeyId?: string | undefined };
};

const CONNECT_TIMEOUT_MS = 3_000;
const REQUEST_TIMEOUT_MS = 60_000;
const NOTHING = (): void => undefined;

/** Opens no connection before the first command. Its owner calls `destroy` at the end. */
export function createS3Client({ region, endpoint, credentials, isPathStyle }: S3Bucket): S3Client {
  return new S3Client({
    region,
    forcePathStyle: isPathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
    // Not every store that speaks S3 knows the checksums that Amazon's has learnt since.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // An upload that breaks off is reported to its sender, not to the console.
    logger: { trace: NOTHING, debug: NOTHING, info: NOTHING, warn: NOTHING, error: NOTHING },
    requestHandler: { connectionTimeout: CONNECT_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
  });
}

/** What an upload says about how the store encrypts the object. */
export function describeEncryption({
  encryption: { kind, kmsKeyId },
}: S3Bucket): Pick<PutObjectCommandInput, 'ServerSideEncryption' | 'SSEKMSKeyId'> {
  if (kind === 'none') return {};
  return { ServerSideEncryption: kind, ...(kind === 'aws:kms' && kmsKeyId !== undefined ? { SSEKMSKeyId: kmsKeyId } : {}) };
}
