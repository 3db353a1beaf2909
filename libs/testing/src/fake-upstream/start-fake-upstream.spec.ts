import { request as httpRequest } from 'node:http';
import { parseRecordedBody, parseSseText, startFakeUpstream, type FakeUpstream } from '.';

const hello = { model: 'echo-1', messages: [{ role: 'user', content: 'hello there' }] };

describe('startFakeUpstream', () => {
  let fake: FakeUpstream;

  beforeEach(async () => {
    fake = await startFakeUpstream();
  });

  afterEach(() => fake.stop());

  const post = (path: string, body: unknown = hello) =>
    fetch(fake.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-probe': 'yes' },
      body: JSON.stringify(body),
    });

  it('remembers method, path, headers and body of every request', async () => {
    await post('/v1/chat/completions?trace=1');

    const [seen] = fake.requests;
    expect(seen).toMatchObject({ method: 'POST', path: '/v1/chat/completions?trace=1' });
    expect(seen?.headers['x-probe']).toBe('yes');
    expect(parseRecordedBody(seen!)).toEqual(hello);
    await expect(seen?.ended).resolves.toBe('answered');
  });

  it('echoes the last message in the shape of chat completions with usage', async () => {
    const reply = (await (await post('/v1/chat/completions')).json()) as Record<string, unknown>;

    expect(reply).toMatchObject({
      object: 'chat.completion',
      model: 'echo-1',
      choices: [{ message: { role: 'assistant', content: 'echo: hello there' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 11, completion_tokens: 3, total_tokens: 14 },
    });
  });

  it('streams completion chunks with usage only when it was asked for', async () => {
    const plain = await (await post('/v1/chat/completions', { ...hello, stream: true })).text();
    const counted = await (await post('/v1/chat/completions', { ...hello, stream: true, stream_options: { include_usage: true } })).text();

    expect(plain).not.toContain('prompt_tokens');
    const events = parseSseText(counted);
    expect(events.at(-1)?.data).toBe('[DONE]');
    expect(JSON.parse(events.at(-2)?.data ?? '')).toMatchObject({ choices: [], usage: { total_tokens: 14 } });
    const text = events
      .slice(0, -2)
      .map(({ data }) => (JSON.parse(data) as { choices: { delta: { content?: string } }[] }).choices[0]?.delta.content ?? '');
    expect(text.join('')).toBe('echo: hello there');
  });

  it('speaks messages by path, whole and as typed events', async () => {
    const whole = (await (await post('/v1/messages')).json()) as Record<string, unknown>;
    const events = parseSseText(await (await post('/v1/messages', { ...hello, stream: true })).text());

    expect(whole).toMatchObject({ type: 'message', content: [{ type: 'text', text: 'echo: hello there' }], usage: { output_tokens: 3 } });
    expect(events[0]?.event).toBe('message_start');
    expect(events.at(-1)?.event).toBe('message_stop');
  });

  it('plays scripts in order, once each, then echoes again', async () => {
    fake.reply({ status: 429, headers: { 'Retry-After': '7' }, body: { error: { message: 'slow down' } } });
    fake.reply({ status: 200, body: 'plain words' });

    const first = await post('/v1/chat/completions');
    const second = await post('/v1/chat/completions');
    const third = await post('/v1/chat/completions');

    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await second.text()).toBe('plain words');
    expect(await third.json()).toMatchObject({ object: 'chat.completion' });
    expect(fake.unusedReplyCount()).toBe(0);
  });

  it('keeps a rule for the requests it matches and leaves others alone', async () => {
    fake.reply((request) => ({ status: 418, body: { path: request.path } }), { when: (request) => request.path.startsWith('/teapot') });

    const statuses = [await post('/teapot/1'), await post('/v1/messages'), await post('/teapot/2')].map((response) => response.status);

    expect(statuses).toEqual([418, 200, 418]);
  });

  it('sends scripted pieces untouched and cuts the connection where the script says', async () => {
    fake.reply({ stream: ['data: one\n\n', 'data: two\n\n', 'data: three\n\n'], cutAfter: 2 });

    const { text, error } = await readUntilEnd(await post('/v1/chat/completions'));

    expect(text).toBe('data: one\n\ndata: two\n\n');
    expect(error).toBeDefined();
    await expect(fake.requests[0]?.ended).resolves.toBe('cut');
  });

  it('stays silent after the last piece when the script hangs, and shows when the caller gives up', async () => {
    fake.reply({ stream: ['data: one\n\n'], hang: true });
    const outgoing = httpRequest(`${fake.url}/v1/chat/completions`, { method: 'POST' });
    const firstPiece = new Promise<string>((resolve) =>
      outgoing.on('response', (incoming) => incoming.once('data', (bytes) => resolve(String(bytes)))),
    );
    outgoing.on('error', () => undefined).end('{}');

    expect(await firstPiece).toBe('data: one\n\n');
    outgoing.destroy();

    await expect(fake.requests[0]?.ended).resolves.toBe('aborted');
  });

  it('waits for requests that are still to come', async () => {
    const both = fake.waitForRequests(2);

    await post('/v1/messages');
    await post('/v1/embeddings');

    expect((await both).map((request) => request.path)).toEqual(['/v1/messages', '/v1/embeddings']);
  });
});

async function readUntilEnd(response: Response): Promise<{ text: string; error: unknown }> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) text += decoder.decode(bytes, { stream: true });
    return { text, error: undefined };
  } catch (error) {
    return { text, error };
  }
}
