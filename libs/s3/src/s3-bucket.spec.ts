import { createS3Client, describeEncryption, type S3Bucket } from './s3-bucket';

const BUCKET: S3Bucket = { bucket: 'files', region: 'eu-central-1', isPathStyle: true, encryption: { kind: 'none' } };

describe('a client for a bucket', () => {
  it('takes region, address and credentials from the settings', async () => {
    const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
    const client = createS3Client({ ...BUCKET, endpoint: 'http://127.0.0.1:9000', credentials });

    expect(await client.config.region()).toBe('eu-central-1');
    expect(await client.config.endpoint?.()).toMatchObject({ hostname: '127.0.0.1', port: 9000 });
    expect(await client.config.credentials()).toMatchObject(credentials);
    expect(client.config.forcePathStyle).toBe(true);
    client.destroy();
  });
});

describe('the encryption of an object', () => {
  it.each([
    [{ kind: 'none' }, {}],
    [{ kind: 'AES256', kmsKeyId: 'ignored' }, { ServerSideEncryption: 'AES256' }],
    [{ kind: 'aws:kms' }, { ServerSideEncryption: 'aws:kms' }],
    [
      { kind: 'aws:kms', kmsKeyId: 'key' },
      { ServerSideEncryption: 'aws:kms', SSEKMSKeyId: 'key' },
    ],
  ] as const)('of %j is %j', (encryption, expected) => {
    expect(describeEncryption({ ...BUCKET, encryption })).toEqual(expected);
  });
});
