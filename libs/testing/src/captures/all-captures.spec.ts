import { describeWithFixtures, listCaptures } from './fixtures-folder';
import { loadCapture, loadCaptures } from './load-capture';
import { replyFromCapture } from './reply-from-capture';

describeWithFixtures('every captured reply', () => {
  it('can be read, and most of them say what they are', () => {
    const captures = listCaptures().flatMap((path) => loadCaptures(path));
    const kinds = { json: 0, sse: 0, bytes: 0 };
    for (const capture of captures) kinds[capture.kind] += 1;

    expect(captures.length).toBeGreaterThan(800);
    expect(kinds.json).toBeGreaterThan(500);
    expect(kinds.sse).toBeGreaterThan(180);
    expect(kinds.bytes).toBeLessThan(captures.length / 8);
  });

  it('plays every stream back byte for byte', () => {
    const streams = listCaptures({ under: 'vercel+ai/', endsWith: '.chunks.txt' })
      .map((path) => loadCapture(path))
      .filter((capture) => capture.kind === 'sse');

    expect(streams.length).toBeGreaterThan(50);
    for (const capture of streams) {
      const script = replyFromCapture(capture);
      expect('stream' in script ? script.stream.join('') : '').toBe(capture.body);
    }
  });

  it('has a request beside every recorded exchange', () => {
    const without = listCaptures({ endsWith: ['.yaml', '.yaml.gz'] })
      .flatMap((path) => loadCaptures(path))
      .filter((capture) => capture.request === undefined || capture.request.url === '');

    expect(without.map((capture) => capture.path)).toEqual([]);
  });
});

describe('listCaptures', () => {
  it('says which folder is missing and what to set', () => {
    const before = process.env['WIRE_FIXTURES_DIR'];
    process.env['WIRE_FIXTURES_DIR'] = '/nowhere/at-all';

    try {
      expect(() => listCaptures()).toThrow(/\/nowhere\/at-all.*WIRE_FIXTURES_DIR/);
    } finally {
      if (before === undefined) delete process.env['WIRE_FIXTURES_DIR'];
      else process.env['WIRE_FIXTURES_DIR'] = before;
    }
  });
});
