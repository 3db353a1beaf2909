import { createHash } from 'node:crypto';
import { CreateBucketCommand, GetObjectCommand, ListMultipartUploadsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { describeWithRealParts, getS3, type RealS3 } from '@weir/testing';
import type { FileStore } from '../file-store';
import { createS3FileStore } from './create-s3-file-store';

const MIB = 1024 ** 2;

describeWithRealParts(['s3'], 'files in a bucket', () => {
  let s3: RealS3;
  let client: S3Client;
  let store: FileStore;
  beforeAll(async () => {
    const started = await getS3();
    if (started === undefined) throw new Error('an S3 server was promised');
    s3 = started;
    const place = { region: 'us-east-1', endpoint: s3.url, credentials: s3.credentials };
    client = new S3Client({ ...place, forcePathStyle: true });
    await client.send(new CreateBucketCommand({ Bucket: 'files' }));
    store = createS3FileStore({ bucket: 'files', ...place, isPathStyle: true, encryption: { kind: 'none', kmsKeyId: undefined } });
  }, 120_000);
  afterAll(async () => {
    store.close();
    client.destroy();
    await s3.stop();
  });

  const list = async (): Promise<string[]> =>
    ((await client.send(new ListObjectsV2Command({ Bucket: 'files' }))).Contents ?? []).flatMap(({ Key = '' }) => Key);

  /** So many MiB, the same each time; counts how many were asked for. */
  function makeBytes(count: number, failAt = Infinity) {
    const seen = { pulled: 0 };
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      for (let at = 0; at < count; at += 1) {
        if (at === failAt) throw new Error('the rows ended early');
        seen.pulled += 1;
        yield await Promise.resolve(Buffer.alloc(MIB, at));
      }
    };
    return { seen, chunks };
  }

  it('are kept whole, in parts where they are large, and in the place of what was there', async () => {
    const { chunks } = makeBytes(21);
    const hash = createHash('sha256');
    for await (const chunk of chunks()) hash.update(chunk);
    for (let time = 0; time < 2; time += 1)
      await store.put({ key: 'a/large', type: 't/x', chunks: chunks() }, new AbortController().signal);
    const { Body, ContentLength, ContentType } = await client.send(new GetObjectCommand({ Bucket: 'files', Key: 'a/large' }));
    const read = (await Body?.transformToByteArray()) ?? new Uint8Array();
    expect([ContentLength, ContentType, createHash('sha256').update(read).digest('hex')]).toEqual([21 * MIB, 't/x', hash.digest('hex')]);
    await store.remove(['a/large', 'a/absent']);
    expect(await list()).toEqual([]);
  }, 60_000);

  it('are not kept when their bytes break off, or they are not wanted any more: no object, no part of one', async () => {
    const broken = makeBytes(30, 20);
    await expect(store.put({ key: 'b', type: 't', chunks: broken.chunks() }, new AbortController().signal)).rejects.toThrow(
      'the rows ended early',
    );
    const stopping = new AbortController();
    const stopped = makeBytes(200);
    const chunks = async function* (): AsyncGenerator<Uint8Array> {
      for await (const chunk of stopped.chunks()) {
        if (stopped.seen.pulled === 30) stopping.abort();
        yield chunk;
      }
    };
    await expect(store.put({ key: 'c', type: 't', chunks: chunks() }, stopping.signal)).rejects.toThrow();
    expect(stopped.seen.pulled).toBeLessThan(80);
    await expect(store.put({ key: 'd', type: 't', chunks: makeBytes(1).chunks() }, stopping.signal)).rejects.toThrow();
    expect(await list()).toEqual([]);
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: 'files' }));
    expect(Uploads).toEqual([]);
  }, 60_000);

  it('are refused with another secret', async () => {
    const credentials = { ...s3.credentials, secretAccessKey: 'another' };
    const other = createS3FileStore({
      ...{ bucket: 'files', region: 'us-east-1', endpoint: s3.url, credentials, isPathStyle: true },
      encryption: { kind: 'none', kmsKeyId: undefined },
    });
    const put = other.put({ key: 'e', type: 't', chunks: makeBytes(1).chunks() }, new AbortController().signal);
    await expect(put).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
    other.close();
  }, 30_000);
});
