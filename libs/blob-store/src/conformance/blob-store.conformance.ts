import { createHash } from 'node:crypto';
import type { BlobStore, NewBlob } from '../blob/blob-store';

export type BlobStoreHarness = {
  readonly store: BlobStore;
  /** Sets the store's clock; UTC epoch milliseconds. */
  setNow(ms: number): void;
};

const NOW = Date.UTC(2026, 10, 21);
const DAY = 86_400_000;

async function readText(store: BlobStore, record: Parameters<BlobStore['open']>[0]): Promise<string> {
  let text = '';
  for await (const piece of store.open(record)) text += Buffer.from(piece).toString('utf8');
  return text;
}

/** What every store must do, wherever it keeps things. */
export function describeBlobStore(open: () => Promise<BlobStoreHarness>): void {
  let harness: BlobStoreHarness;
  let store: BlobStore;
  let owner = 0;
  const blob = (more: Partial<NewBlob> = {}): NewBlob => ({
    organizationId: `org-${owner}`,
    kind: 'file',
    name: 'notes.txt',
    type: 'text/plain',
    purpose: 'user_data',
    expiresAtMs: NOW + DAY,
    bytes: Buffer.from('hello'),
    ...more,
  });

  beforeAll(async () => {
    harness = await open();
    ({ store } = harness);
  });
  beforeEach(() => {
    owner += 1;
    harness.setNow(NOW);
  });

  it('finds and reads what was put, with all that was said of it', async () => {
    const name = 'Üben mit "Zeichen" / und\nZeilen.txt';
    const record = await store.put(blob({ name }));
    expect(record).toEqual({
      id: expect.stringMatching(/^file-[0-9A-Za-z]{24}$/) as string,
      organizationId: `org-${owner}`,
      kind: 'file',
      name,
      type: 'text/plain',
      size: 5,
      purpose: 'user_data',
      createdAtMs: NOW,
      expiresAtMs: NOW + DAY,
    });
    expect(await store.find(record.organizationId, record.id)).toEqual(record);
    expect(await readText(store, record)).toBe('hello');
  });

  it('keeps bytes that come in pieces exactly', async () => {
    const piece = Buffer.alloc(256 * 1024, 'weir');
    const pieces = 20;
    const record = await store.put(
      blob({
        bytes: {
          size: piece.length * pieces,
          async *read() {
            for (let index = 0; index < pieces; index += 1) yield piece;
          },
        },
      }),
    );
    const [asked, got] = [createHash('sha256'), createHash('sha256')];
    for (let index = 0; index < pieces; index += 1) asked.update(piece);
    for await (const chunk of store.open(record)) got.update(chunk);
    expect(record.size).toBe(piece.length * pieces);
    expect(got.digest('hex')).toBe(asked.digest('hex'));
  });

  it('keeps nothing of a blob that breaks off, or is not as long as was said', async () => {
    const broken = (size: number, fails: boolean): NewBlob['bytes'] => ({
      size,
      async *read() {
        yield Buffer.alloc(1000);
        if (fails) throw new Error('broken off');
      },
    });
    await expect(store.put(blob({ bytes: broken(2000, true) }))).rejects.toThrow('broken off');
    await expect(store.put(blob({ bytes: broken(2000, false) }))).rejects.toThrow('said to have 2000 bytes');
    expect(await store.list(`org-${owner}`, 'file')).toEqual([]);
  });

  it("finds no other organization's blobs, and nothing under what is no id", async () => {
    const record = await store.put(blob());
    expect(await store.find('org-other', record.id)).toBeUndefined();
    expect(await store.delete('org-other', record.id)).toBe(false);
    expect(await store.list('org-other', 'file')).toEqual([]);
    for (const id of ['', '..', `../${record.id}`, `${record.id}/x`, 'file-short', `${record.id}.json`]) {
      expect(await store.find(record.organizationId, id)).toBeUndefined();
    }
    expect(await readText(store, record)).toBe('hello');
  });

  it('lists one kind of an organization, newest first, and deletes once', async () => {
    const first = await store.put(blob({ name: 'first' }));
    harness.setNow(NOW + 1000);
    const second = await store.put(blob({ name: 'second' }));
    const result = await store.put(blob({ kind: 'result' }));
    const names = async (): Promise<string[]> => (await store.list(`org-${owner}`, 'file')).map(({ name }) => name);
    expect(await names()).toEqual(['second', 'first']);
    expect(await store.list(`org-${owner}`, 'result')).toEqual([result]);
    expect([await store.delete(second.organizationId, second.id), await store.delete(second.organizationId, second.id)]).toEqual([
      true,
      false,
    ]);
    expect(await names()).toEqual(['first']);
    await expect(readText(store, second)).rejects.toThrow();
    expect(await store.find(first.organizationId, first.id)).toEqual(first);
  });

  it('finds nothing that has expired, and sweeps it away', async () => {
    const short = await store.put(blob({ expiresAtMs: NOW + 1000 }));
    const long = await store.put(blob({ kind: 'result' }));
    harness.setNow(NOW + 1000);
    expect(await store.find(short.organizationId, short.id)).toBeUndefined();
    expect(await store.list(short.organizationId, 'file')).toEqual([]);
    expect(await store.delete(short.organizationId, short.id)).toBe(false);
    expect(await store.sweep(NOW + 999)).toBe(0);
    expect(await store.sweep(NOW + 1000)).toBe(1);
    harness.setNow(NOW);
    expect(await store.find(short.organizationId, short.id)).toBeUndefined();
    expect(await store.find(long.organizationId, long.id)).toEqual(long);
  });
}
