import { createServer, request as sendRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PASSPORT_HEADER, TERMS_HEADER } from '@weir/contracts';
import { createTopics } from '@weir/kafka';
import { describeWithRealParts, makeTestFolder } from '@weir/testing';
import { waitForRequests } from '../harness/read-usage';
import type { RunningProcess } from '../harness/run-process';
import { startDistributed, type DistributedHarness } from '../harness/start-distributed';
import { takeRealParts, type TakenParts } from '../harness/take-real-parts';

type Captured = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer };

const portOf = (process: RunningProcess): number => Number(/"port":(\d+)/.exec(process.output())?.[1]);

/** Stands on the wire between edge and worker: passes everything on, and keeps what it saw. */
async function listenIn(port: number): Promise<{ url: string; seen: Captured[]; server: Server }> {
  const seen: Captured[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces);
      const { url: path = '', method, headers } = request;
      seen.push({ path, headers, body });
      const passed = sendRequest({ port, host: '127.0.0.1', path, method, headers }, (reply) => {
        response.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(response);
      });
      passed.end(body);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, server };
}

describeWithRealParts(['postgres', 'redis', 'kafka'], 'a passport that was seen on the wire', () => {
  let harness: DistributedHarness;
  let parts: TakenParts;
  const taps: Awaited<ReturnType<typeof listenIn>>[] = [];
  let chatPort: number;
  let mediaPort: number;

  beforeAll(async () => {
    parts = await takeRealParts();
    await createTopics(parts.brokers);
    harness = await startDistributed(parts);
    chatPort = portOf(harness.services['chat-translator']);
    mediaPort = portOf(harness.services['media-service']);
    taps.push(await listenIn(chatPort), await listenIn(mediaPort));
    await harness.services['edge-router'].terminate();
    await harness.restart('edge-router', { CHAT_TRANSLATOR_URL: taps[0]?.url ?? '', MEDIA_SERVICE_URL: taps[1]?.url ?? '' });
  }, 180_000);
  afterAll(async () => {
    await harness.stop();
    for (const { server } of taps) server.close();
    await parts.stop();
  }, 60_000);

  const ask = (path: string, body: FormData | object): Promise<Response> =>
    fetch(harness.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${harness.apiKey}`, ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }) },
      body: body instanceof FormData ? body : JSON.stringify(body),
    });

  const replay = ({ path, headers, body }: Captured, port: number, other: Buffer = body): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = sendRequest(
        { port, host: '127.0.0.1', path, method: 'POST', headers: { ...headers, 'content-length': String(other.length) } },
        (reply) => {
          reply.resume();
          resolve(reply.statusCode ?? 0);
        },
      );
      sent.on('error', reject);
      sent.end(other);
    });

  /** What was noted at all: reasons that did not occur are served as 0. */
  const readNoted = async (service: 'chat-translator' | 'media-service'): Promise<string[]> =>
    (await (await fetch(`${harness.metricsAddressOf(service)}/metrics`)).text())
      .split('\n')
      .filter((line) => line.startsWith('weir_passports_noted_total{') && !line.endsWith(' 0'));

  it('works neither again nor with another body, with this worker or another, and nothing is counted for it', async () => {
    const chat = { model: 'sandbox/chat', messages: [{ role: 'user', content: 'Hello' }] };
    expect((await ask('/v1/chat/completions', chat)).status).toBe(200);
    const captured = taps[0]?.seen.at(-1);
    if (captured === undefined) throw new Error('nothing was seen on the wire');
    const longer = Buffer.from(JSON.stringify({ ...chat, messages: [{ role: 'user', content: 'Hello to you and to everyone else' }] }));
    const another = await harness.startAnother('chat-translator', { JOURNAL_DIR: makeTestFolder('other-journal') });
    const otherPort = portOf(another);

    const statuses = [
      await replay(captured, chatPort),
      await replay(captured, chatPort, longer),
      await replay(captured, otherPort),
      await replay(captured, otherPort, longer),
    ];

    expect(statuses).toEqual([403, 403, 403, 403]);
    expect((await readNoted('chat-translator')).sort()).toEqual([
      expect.stringContaining('reason="changed"} 1'),
      expect.stringContaining('reason="used"} 1'),
    ]);
    await harness.services['chat-translator'].waitFor(/"reason":"used","requestId":"[^"]+","msg":"a passport was refused"/);
    expect(await another.terminate()).toBe(0);
    expect((await waitForRequests(harness, 1)).total_requests).toBe(1);
  }, 60_000);

  it('belongs to a form by what its fields and files hold', async () => {
    const form = new FormData();
    form.set('model', 'sandbox/transcription');
    form.set('prompt', 'a "quoted" wörd\r\nand a second line');
    form.set('file', new Blob([new Uint8Array(300_000)]), 'größe "x".mp3');
    const served = await ask('/v1/audio/transcriptions', form);
    expect([served.status, await served.text()]).toEqual([200, expect.any(String)]);
    const captured = taps[1]?.seen.at(-1);
    if (captured === undefined) throw new Error('nothing was seen on the wire');
    const other = Buffer.from(captured.body);
    other[other.length - 1_000] = 7;

    expect([await replay(captured, mediaPort), await replay(captured, mediaPort, other)]).toEqual([403, 403]);
    expect((await readNoted('media-service')).length).toBe(2);
  }, 60_000);

  it('works in short on its own connection only, once', async () => {
    const chat = { model: 'sandbox/chat', messages: [{ role: 'user', content: 'Hello' }] };
    const before = (await waitForRequests(harness, 2)).total_requests;
    for (let times = 0; times < 3; times += 1) expect((await ask('/v1/chat/completions', chat)).status).toBe(200);
    const short = (taps[0]?.seen ?? []).filter(({ headers }) => String(headers[PASSPORT_HEADER]).startsWith('2.'));
    const captured = short.at(-1);
    if (captured === undefined) throw new Error('no short passport was seen on the wire');
    const longer = Buffer.from(JSON.stringify({ ...chat, messages: [{ role: 'user', content: 'Hello to you and to everyone else' }] }));

    expect([await replay(captured, chatPort), await replay(captured, chatPort, longer)]).toEqual([403, 403]);
    expect(String(captured.headers[PASSPORT_HEADER]).length).toBeLessThan(600);
    expect(short.filter(({ headers }) => headers[TERMS_HEADER] !== undefined).length).toBeLessThan(short.length);
    expect((await waitForRequests(harness, before + 3)).total_requests).toBe(before + 3);
  }, 60_000);
});
