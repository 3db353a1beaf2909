import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { describeWithRealParts, getS3, type RealS3 } from '@weir/testing';
import { describeBlobStore } from '../conformance/blob-store.conformance';
import { createS3BlobStore, type S3BlobStoreOptions } from './create-s3-blob-store';

describeWithRealParts(['s3'], 'blobs in a bucket', () => {
  let s3: RealS3;
  let now = 0;
  const open = async (bucket: string, more: Partial<S3BlobStoreOptions> = {}) => {
    const { url: endpoint, credentials } = s3;
    const client = new S3Client({ endpoint, credentials, region: 'us-east-1', forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    client.destroy();
    const place = { bucket, region: 'us-east-1', endpoint, credentials, isPathStyle: true };
    return createS3BlobStore({ ...place, encryption: { kind: 'none' }, now: () => now, ...more });
  };

  beforeAll(async () => {
    const started = await getS3();
    if (started === undefined) throw new Error('an S3 server was promised');
    s3 = started;
  });
  afterAll(() => s3.stop());

  describeBlobStore(async () => ({ store: await open('conformance'), setNow: (ms) => void (now = ms) }));

  it('is refused with another secret: what it sends is signed, and the server checks it', async () => {
    const store = await open('refused', { credentials: { ...s3.credentials, secretAccessKey: 'another' } });
    const bytes = Buffer.from('x');
    const blob = { organizationId: 'o', kind: 'file', name: 'n', type: 't', expiresAtMs: now + 1000, bytes } as const;
    await expect(store.put(blob)).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
  });

  it('keeps a name that is too long for a key by its end', async () => {
    const store = await open('names');
    const name = `${'ü'.repeat(400)}.png`;
    const record = await store.put({
      organizationId: 'o',
      kind: 'file',
      name,
      type: 'image/png',
      expiresAtMs: now + 1000,
      bytes: Buffer.from('x'),
    });
    expect(record.name.endsWith('ü.png') && Buffer.byteLength(record.name) <= 300).toBe(true);
    expect(await store.find('o', record.id)).toEqual(record);
  });
});
