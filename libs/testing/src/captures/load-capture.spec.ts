import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parseSseText } from '../fake-upstream/sse-frames';
import { loadCapture, loadCaptures } from './load-capture';

describe('loadCapture', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'captures-'));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  const write = (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };

  it('reads a JSON reply as it is', () => {
    const capture = loadCapture(write('reply.json', '{"id":"1"}'));

    expect(capture).toMatchObject({ kind: 'json', role: 'reply', body: '{"id":"1"}' });
  });

  it('sees an event stream whatever its file is called', () => {
    const capture = loadCapture(write('res-stream.json', 'event: ping\ndata: {"type":"ping"}\n\n'));

    expect(capture.kind).toBe('sse');
  });

  it('keeps broken JSON and binary as bytes', () => {
    expect(loadCapture(write('res-non-json', '{ this is none }')).kind).toBe('bytes');
    expect(loadCapture(write('res.bin', Buffer.from([0, 0, 0, 77, 0xef, 0xff]))).body).toBeInstanceOf(Buffer);
  });

  it('wraps completion chunks as data lines and ends them with the marker', () => {
    const line = '{"object":"chat.completion.chunk","choices":[{"delta":{"content":"a"}}]}';
    const capture = loadCapture(write('chat.chunks.txt', `${line}\n`));

    expect(capture).toMatchObject({ kind: 'sse', body: `data: ${line}\n\ndata: [DONE]\n\n` });
  });

  it('names the event of typed chunks and adds no marker', () => {
    const capture = loadCapture(write('typed.chunks.txt', '{"type":"message_start"}\n{"type":"message_stop"}'));

    expect(parseSseText(capture.body.toString()).map(({ event }) => event)).toEqual(['message_start', 'message_stop']);
  });

  it('adds neither event names nor marker to candidates', () => {
    const capture = loadCapture(write('candidates.chunks.txt', '{"candidates":[]}\n'));

    expect(capture.body).toBe('data: {"candidates":[]}\n\n');
  });

  it('frames single-name chunks as binary event stream messages', () => {
    const capture = loadCapture(
      write('binary.chunks.txt', '{"messageStart":{"role":"assistant"}}\n{"messageStop":{"stopReason":"end_turn"}}\n'),
    );
    const bytes = capture.body as Buffer;

    expect(capture.kind).toBe('bytes');
    expect(bytes.subarray(0, bytes.readUInt32BE(0)).toString('latin1')).toContain('{"role":"assistant"}');
    expect(bytes.length).toBe(bytes.readUInt32BE(0) + bytes.readUInt32BE(bytes.readUInt32BE(0)));
  });

  it('reads parsed bodies and block strings of a cassette with their requests', () => {
    const captures = loadCaptures(
      write(
        'parsed.yaml',
        `interactions:
- request:
    headers:
      content-type:
      - application/json
    method: POST
    parsed_body:
      model: m
    uri: https://host.example/v1/chat/completions
  response:
    headers:
      content-type:
      - application/json
    parsed_body:
      id: one
    status:
      code: 400
      message: Bad Request
- request:
    method: POST
    uri: https://host.example/v1/responses
  response:
    body:
      string: |+
        event: response.created
        data: {"type":"response.created"}

    headers:
      content-type:
      - text/event-stream; charset=utf-8
    status:
      code: 200
version: 1
`,
      ),
    );

    expect(captures).toHaveLength(2);
    expect(captures[0]).toMatchObject({
      kind: 'json',
      status: 400,
      body: '{"id":"one"}',
      request: { body: { model: 'm' }, method: 'POST' },
    });
    expect(captures[1]).toMatchObject({ kind: 'sse', status: 200, contentType: 'text/event-stream; charset=utf-8' });
  });

  it('unpacks a compressed body that a cassette kept as base64', () => {
    const packed = gzipSync('{"id":"zipped"}').toString('base64');
    const capture = loadCapture(
      write(
        'packed.yaml',
        `interactions:
- request: { body: '{"a": 1}', method: POST, uri: 'https://host.example/x' }
  response:
    body:
      string: !!binary |
        ${packed}
    headers: { Content-Encoding: [gzip], Content-Type: [application/json] }
    status: { code: 200, message: OK }
`,
      ),
    );

    expect(capture).toMatchObject({ kind: 'json', body: '{"id":"zipped"}', request: { body: { a: 1 } } });
  });

  it('reads the go-vcr layout and the layout with two lists, gzipped or not', () => {
    const goVcr = loadCapture(
      write(
        'go.yaml',
        `version: 2
interactions:
    - id: 0
      request: { url: 'https://host.example/v1/x', method: POST, body: 'k=v', headers: { Host: [h] } }
      response: { body: '{"id":"go"}', headers: { Content-Type: [application/json] }, status: 200 OK, code: 200 }
`,
      ),
    );
    const lists = loadCapture(
      write(
        'lists.yaml.gz',
        gzipSync(`requests:
- { body: '{}', method: POST, uri: 'https://host.example/y' }
responses:
- { body: { string: '{"id":"list"}' }, headers: {}, status: { code: 200 } }
`),
      ),
    );

    expect(goVcr).toMatchObject({ status: 200, body: '{"id":"go"}', request: { url: 'https://host.example/v1/x', body: 'k=v' } });
    expect(lists).toMatchObject({ body: '{"id":"list"}', request: { url: 'https://host.example/y' } });
  });

  it('cuts the preamble of a snapshot and calls it a translation', () => {
    const capture = loadCapture(write('basic.snap', '---\nsource: x.rs\n---\n{"response":{}}\n'));

    expect(capture).toMatchObject({ role: 'translation', kind: 'json', body: '{"response":{}}\n' });
  });

  it('refuses a cassette without exchanges and an exchange that is not there', () => {
    const empty = write('empty.yaml', 'interactions: []\n');
    const single = write('single.json', '{}');

    expect(() => loadCapture(empty)).toThrow('no recorded exchange');
    expect(() => loadCapture(single, 3)).toThrow('no exchange 3');
  });
});
