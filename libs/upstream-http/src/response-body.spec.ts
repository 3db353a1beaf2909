import { ResponseBody } from './response-body';

const nextTick = () => new Promise<void>((resolve) => process.nextTick(resolve));

function open() {
  const asked: string[] = [];
  const source = { pause: () => void asked.push('pause'), resume: () => void asked.push('resume'), abort: () => void asked.push('abort') };
  const body = new ResponseBody(source);
  const reported: string[] = [];
  const read = (): void => {
    body.on('data', (chunk: Buffer) => void reported.push(chunk.toString()));
    body.on('end', () => void reported.push('end'));
    body.on('close', () => void reported.push('close'));
  };
  const push = (...pieces: string[]): void => pieces.forEach((piece) => body.push(Buffer.from(piece)));
  return { body, reported, asked, read, push };
}

describe('ResponseBody', () => {
  it('hands over what came in one tick as one chunk, the end behind it', async () => {
    const { body, reported, read, push } = open();
    read();
    await nextTick();
    push('a', 'b', 'c');
    expect(reported).toEqual([]);
    await nextTick();
    expect(reported).toEqual(['abc']);
    push('d', 'e');
    body.end();
    await nextTick();
    await nextTick();
    expect(reported).toEqual(['abc', 'de', 'end', 'close']);
  });

  it('hands a single piece over as it is', async () => {
    const { body, read, push } = open();
    read();
    let handed: Buffer | undefined;
    body.on('data', (chunk: Buffer) => (handed = chunk));
    await nextTick();
    const piece = Buffer.from('a');
    body.push(piece);
    push();
    await nextTick();
    expect(handed).toBe(piece);
  });

  it('is taken whole when it is complete before anyone reads, and then only closes', async () => {
    const { body, reported, asked, read, push } = open();
    push('a', 'b');
    expect(body.takeComplete(2)).toBeUndefined();
    body.end();
    expect(body.takeComplete(1)).toBeUndefined();
    expect(body.takeComplete(2)?.toString()).toBe('ab');
    expect(body.readableEnded).toBe(true);
    expect(body.takeComplete(2)).toBeUndefined();
    read();
    await nextTick();
    await nextTick();
    expect([reported, asked]).toEqual([['close'], []]);
  });

  it('is not taken whole once it is read, has failed or was destroyed', async () => {
    const flowing = open();
    flowing.read();
    flowing.push('a');
    flowing.body.end();
    expect(flowing.body.takeComplete(1)).toBeUndefined();
    await nextTick();
    expect(flowing.reported).toEqual(['a', 'end', 'close']);
    const failed = open();
    failed.push('a');
    failed.body.fail(new Error('cut'));
    expect(failed.body.takeComplete(1)).toBeUndefined();
    const destroyed = open();
    destroyed.push('a');
    destroyed.body.end();
    destroyed.body.destroy();
    expect(destroyed.body.takeComplete(1)).toBeUndefined();
  });

  it('buffers what comes before anyone reads, as one chunk, and lets its source go on', async () => {
    const { reported, asked, read, push } = open();
    push('a', 'b');
    read();
    expect(asked).toEqual([]);
    await nextTick();
    expect(reported).toEqual(['ab']);
  });

  it('holds its source back when more comes unread than one read of a connection brings', () => {
    const { asked, push } = open();
    push('a'.repeat(65_535));
    expect(asked).toEqual([]);
    push('b');
    expect(asked).toEqual(['pause']);
  });

  it('holds its source back while it is paused, and hands over nothing until it goes on', async () => {
    const { body, reported, asked, read, push } = open();
    read();
    await nextTick();
    asked.length = 0;
    push('a');
    body.pause();
    push('b');
    await nextTick();
    expect([reported, asked]).toEqual([[], ['pause']]);
    body.resume();
    await nextTick();
    expect([reported, asked]).toEqual([['ab'], ['pause', 'resume']]);
  });

  it('ends behind the last bytes in the same tick, also for a reader that pauses on them', async () => {
    const { body, reported, read, push } = open();
    read();
    body.on('data', () => void body.pause());
    await nextTick();
    push('a');
    await nextTick();
    body.resume();
    push('b');
    body.end();
    process.nextTick(() => reported.push('next tick'));
    await nextTick();
    expect(reported).toEqual(['a', 'b', 'end', 'next tick', 'close']);
  });

  it('keeps a failure from a reader that paused on what came before it, until it goes on', async () => {
    const { body, reported, read, push } = open();
    read();
    body.on('data', () => void body.pause());
    body.on('error', () => void reported.push('error'));
    await nextTick();
    push('a');
    body.fail(new Error('cut'));
    await nextTick();
    expect(reported).toEqual(['a']);
    body.resume();
    await nextTick();
    expect(reported).toEqual(['a', 'error', 'close']);
  });

  it('discards what waits when its reader wants no more', async () => {
    const { body, reported, asked, read, push } = open();
    read();
    await nextTick();
    push('a');
    body.destroy();
    await nextTick();
    await nextTick();
    expect([reported, asked.at(-1)]).toEqual([['close'], 'abort']);
  });
});
