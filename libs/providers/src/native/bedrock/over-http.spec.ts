import { collectReply, createLossReport, type ChatEvent } from '@weir/canonical';
import { startFakeUpstream } from '@weir/testing';
import { createUpstreamTransport } from '@weir/upstream-http';
import { buildRequest, buildTarget } from '../../__fixtures__/build-target';
import { urlOfCall, type Provider } from '../../provider/provider';
import { encodeEvent, encodeException } from './__fixtures__/encode-event-frame';
import { openConverseProvider } from './index';

const KEYS = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'secret', AWS_REGION: 'us-west-2' };
const FRAMES = [
  encodeEvent('messageStart', { role: 'assistant' }),
  encodeEvent('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'hi' } }),
  encodeEvent('contentBlockStop', { contentBlockIndex: 0 }),
  encodeEvent('messageStop', { stopReason: 'end_turn' }),
  encodeEvent('metadata', { usage: { inputTokens: 3, outputTokens: 1 } }),
];

describe('Converse over HTTP', () => {
  const transport = createUpstreamTransport({ connectTimeoutMs: 2000, connectionsMax: 2 });
  let upstream: Awaited<ReturnType<typeof startFakeUpstream>>;

  beforeAll(async () => {
    upstream = await startFakeUpstream();
  });
  afterAll(async () => {
    await transport.close();
    await upstream.stop();
  });

  async function ask(): Promise<ChatEvent[]> {
    const env: Record<string, string> = { ...KEYS, PROVIDER_BEDROCK_BASE_URL: upstream.url };
    const provider = openConverseProvider((name) => env[name], transport.send) as Provider;
    const target = buildTarget('us.amazon.nova-lite-v1:0');
    const call = provider.codec?.encodeRequest(buildRequest({ stream: true }), target, createLossReport());
    if (call === undefined) throw new Error('no codec');
    const response = await provider.transport({
      method: 'POST',
      url: urlOfCall(provider, call),
      headers: { 'content-type': 'application/json', ...call.headers, ...(await provider.authorize(call, target)) },
      body: call.body,
      signal: AbortSignal.timeout(5000),
      headersTimeoutMs: 5000,
      idleTimeoutMs: 5000,
    });
    const decoder = provider.codec?.createStreamDecoder(target);
    const events: ChatEvent[] = [];
    await new Promise<void>((resolve, reject) => {
      response.body.on('end', resolve);
      response.body.on('error', reject);
      response.body.on('data', (chunk) => void events.push(...(decoder?.push(chunk) ?? [])));
    });
    return [...events, ...(decoder?.end() ?? [])];
  }

  it('asks at the encoded path with a signature, and reads the binary stream', async () => {
    upstream.reply({ headers: { 'content-type': 'application/vnd.amazon.eventstream' }, stream: FRAMES });
    const reply = collectReply(await ask());
    const [request] = upstream.requests.slice(-1);

    expect(reply).toMatchObject({
      choices: [{ content: [{ text: 'hi' }], finish: { unified: 'stop' } }],
      usage: { inputUncached: 3, output: 1 },
    });
    expect(request?.path).toBe('/model/us.amazon.nova-lite-v1%3A0/converse-stream');
    expect(request?.headers['authorization']).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/us-west-2\/bedrock\/aws4_request, SignedHeaders=content-type;host;/,
    );
  });

  it('ends with the exception that came in mid-stream', async () => {
    upstream.reply({ stream: [...FRAMES.slice(0, 2), encodeException('serviceUnavailableException', { message: 'later' })] });
    expect((await ask()).at(-1)).toEqual({ type: 'error', code: 'provider_overloaded', message: 'later', status: 503 });
  });
});
