import { addHeader } from '../connections/reply-response';
import { readMetric, sendRaw, serveGuarded, type GuardedHarness } from '../server/__fixtures__/guarded-harness';

const POST = 'POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n';

let harness: GuardedHarness | undefined;
afterEach(async () => {
  await harness?.drain(0);
  harness = undefined;
});

it('streams are counted from their head to their end; other responses and unanswered requests are not', async () => {
  const types = ['text/event-stream; charset=utf-8', 'application/json', 'text/event-stream'];
  const ends: (() => void)[] = [];
  harness = await serveGuarded((_request, response) => {
    addHeader(response, 'content-type', types[ends.length] as string);
    ends.push(() => response.end());
    if (ends.length < 3) response.flushHeaders();
    return Promise.resolve();
  });
  const { port, registry } = harness;
  const read = async () => (await readMetric(registry, 'weir_streams_open')).map(({ value }) => value);
  expect(await read()).toEqual([0]);
  for (const part of ['event-stream', 'json']) await sendRaw(port, POST).waitFor(part);
  const third = sendRaw(port, POST);
  while (ends.length < 3) await new Promise((resume) => setImmediate(resume));

  expect(await read()).toEqual([1]);
  ends.forEach((end) => end());
  await third.waitFor('event-stream');
  while (harness.runningRequests() > 0) await new Promise((resume) => setImmediate(resume));
  expect(await read()).toEqual([0]);
});
