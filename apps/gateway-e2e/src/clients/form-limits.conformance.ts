import { makeRecording } from '@weir/testing';
import type { ClientHarness, OpenClientHarness } from '../harness/client-harness';

/** Money is set aside for what a form can cost: what its recordings last. The harness's key is an administrator's. */
export function describeFormLimits(open: OpenClientHarness): void {
  let harness: ClientHarness;

  beforeAll(async () => {
    harness = await open();
  });
  afterAll(() => harness.stop());

  async function createKey(limitUsd: number): Promise<string> {
    const reply = await fetch(`${harness.managementUrl}/v1/manage/apikey`, {
      method: 'POST',
      headers: { authorization: `Bearer ${harness.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'a form', monthly_limit: limitUsd, permissions: { completions: 'write' } }),
    });
    return ((await reply.json()) as { api_key: string }).api_key;
  }

  async function transcribe(key: string, seconds: number): Promise<{ status: number; cost: string | null; text: string }> {
    const form = new FormData();
    form.append('file', new Blob([makeRecording(seconds)]), 'a.wav');
    form.append('model', 'sandbox/transcription');
    const headers = { authorization: `Bearer ${key}` };
    const reply = await fetch(`${harness.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form });
    return { status: reply.status, cost: reply.headers.get('x-weir-cost'), text: await reply.text() };
  }

  it('a recording is refused before it is sent when it is longer than the limit pays for, and counted as long as it is', async () => {
    // A second costs 0.0001 USD.
    const key = await createKey(0.0035);
    expect(await transcribe(key, 40)).toMatchObject({ status: 412, cost: null });
    expect(await transcribe(key, 30)).toMatchObject({ status: 200, cost: '0.003' });
    const refused = await transcribe(key, 10);
    expect(refused.status).toBe(412);
    expect(refused.text).toContain('0.0005 USD is left');
    expect(await transcribe(key, 3)).toMatchObject({ status: 200, cost: '0.0003' });
  });

  it('is never overspent by forms that come at a time', async () => {
    const key = await createKey(0.0035);
    const replies = await Promise.all(Array.from({ length: 6 }, () => transcribe(key, 10)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 412, 412, 412]);
  });
}
