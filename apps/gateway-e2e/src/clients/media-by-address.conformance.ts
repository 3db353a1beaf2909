import OpenAI from 'openai';
import type { ClientHarness, OpenClientHarness } from '../harness/client-harness';
import { waitForRequests } from '../harness/read-usage';

const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(100, 7)]);
const PDF = Buffer.from('%PDF-1.7 not much of one');

/** Files that providers do not fetch themselves. */
export function describeMediaByAddress(open: OpenClientHarness): void {
  let harness: ClientHarness;
  let client: OpenAI;

  beforeAll(async () => {
    harness = await open();
    client = new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: harness.apiKey, maxRetries: 0 });
    const serve = (path: string, body: Buffer): void => harness.upstream.reply({ body }, { when: (request) => request.path === path });
    serve('/files/a.png', PNG);
    serve('/files/a.pdf', PDF);
    serve('/files/page', Buffer.from('<!doctype html>'));
  });
  afterAll(() => harness.stop());

  const show = (url: string) =>
    client.chat.completions.create({
      model: 'anthropic/claude-sonnet-4-5',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url } },
            { type: 'text', text: 'What is it?' },
          ],
        },
      ],
    });

  it('a picture without TLS comes inside the request', async () => {
    await show(`${harness.upstream.url}/files/a.png`);

    const source = { type: 'base64', media_type: 'image/png', data: PNG.toString('base64') };
    expect(harness.readLastCall().json).toMatchObject({ messages: [{ content: [{ type: 'image', source }, { type: 'text' }] }] });
  });

  it('a document comes inside a request that would have gone on as it is', async () => {
    const file = {
      type: 'input_file',
      filename: 'a.pdf',
      file_data: `${harness.upstream.url}/files/a.pdf`,
    } as unknown as OpenAI.ChatCompletionContentPart;
    const { response } = await client.chat.completions
      .create({ model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: [file, { type: 'text', text: 'What is it?' }] }] })
      .withResponse();

    const reported = { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF.toString('base64')}` };
    expect(harness.readLastCall().json).toMatchObject({ messages: [{ content: [{ type: 'file', file: reported }, { type: 'text' }] }] });
    expect(response.headers.get('x-weir-dropped')).toBeNull();
    expect(response.headers.get('x-weir-approximated')).toBeNull();
  });

  it.each([
    ['an address that is not public', () => 'http://169.254.169.254/latest/meta-data', 'does not lead to a public address'],
    ['what is no picture', () => `${harness.upstream.url}/files/page`, 'must lead to an image'],
  ])('%s is refused, and no one is asked', async (_what, url, problem) => {
    const asked = (): number => harness.upstream.requests.filter(({ method }) => method === 'POST').length;
    const before = asked();
    const error: unknown = await show(url()).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect(error).toMatchObject({ param: 'messages[0].content[0].image_url.url', message: expect.stringContaining(problem) as string });
    expect(asked()).toBe(before);
  });

  it('was metered where a provider was called, and only there', async () => {
    expect(await waitForRequests(harness, 2)).toMatchObject({ total_requests: 2 });
  });
}
