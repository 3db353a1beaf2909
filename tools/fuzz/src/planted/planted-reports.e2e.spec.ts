import { startStandalone, type Harness } from '@weir/gateway-e2e';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPlantedProvider, PLANTED_REPORTS, type PlantedReport } from './planted-reports';

const AT_ONCE = 10;
const USAGE_WITHIN_MS = 20_000;

describe('usage that a provider reports and that cannot be', () => {
  const { server, plant } = createPlantedProvider();
  let gateway: Harness;

  beforeAll(async () => {
    await new Promise<void>((resolve) => (server as Server).listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    gateway = await startStandalone({
      env: { OPENAI_API_KEY: 'any', OPENAI_BASE_URL: url, MINIMAX_API_KEY: 'any', MINIMAX_BASE_URL: url },
    });
  });
  afterAll(async () => {
    expect(await gateway.process.terminate()).toBe(0);
    await new Promise((resolve) => server.close(resolve));
  });

  const ask = async (path: string, key: string, body?: FormData | object): Promise<Response> => {
    const isForm = body instanceof FormData;
    return fetch(`${path.startsWith('/v1/manage') ? gateway.managementUrl : gateway.url}${path}`, {
      headers: { authorization: `Bearer ${key}`, ...(isForm || body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { method: 'POST', body: isForm ? body : JSON.stringify(body) }),
    });
  };

  const createKey = async (limit: number): Promise<string> => {
    const permissions = { completions: 'write' };
    const made = await ask('/v1/manage/apikey', gateway.apiKey, { name: `planted ${limit}`, permissions, monthly_limit: limit });
    return ((await made.json()) as { api_key: string }).api_key;
  };

  /** What a request is charged, as its generation says once it is counted. */
  const readCharge = async (id: string): Promise<number> => {
    const deadline = Date.now() + USAGE_WITHIN_MS;
    for (;;) {
      const reply = await ask(`/v1/generation/${id}`, gateway.apiKey);
      const { generation } = (await reply.json()) as { generation?: { cost: string } };
      if (generation !== undefined) return Number(generation.cost);
      if (Date.now() > deadline) throw new Error(`${id} is not counted: ${reply.status}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };

  const send = async ({ path, body }: PlantedReport, key: string): Promise<{ status: number; id: string; text: string }> => {
    const reply = await ask(path, key, body());
    return { status: reply.status, id: reply.headers.get('x-request-id') ?? '', text: await reply.text() };
  };

  it.each(PLANTED_REPORTS)('is not charged beyond the limit: $about, ten times at once', async (row) => {
    plant(row.reply);
    const key = await createKey(row.limit);
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => send(row, key)));
    const served = replies.filter(({ status }) => status === 200);
    expect(replies.filter(({ status }) => status !== 200 && status !== 412)).toEqual([]);
    expect(served.length).toBeGreaterThan(0);
    const charges = await Promise.all(served.map(({ id }) => readCharge(id)));
    const spent = charges.reduce((sum, charge) => sum + Math.round(charge * 1e12), 0);
    expect(spent).toBeGreaterThan(0);
    expect(spent).toBeLessThanOrEqual(Math.round(row.limit * 1e12));
  });

  it('leaves no prompt free: of an output alone, and of a part of a token', async () => {
    const body = (): object => ({ model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: 'a prompt of some words' }] });
    const choices = [{ index: 0, message: { role: 'assistant', content: 'a' }, finish_reason: 'stop' }];
    for (const usage of [{ completion_tokens: 5 }, { prompt_tokens: 0.4, completion_tokens: 5 }]) {
      plant({
        type: 'application/json',
        text: JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage }),
      });
      const reply = await ask('/v1/chat/completions', gateway.apiKey, body());
      const { usage: shown } = (await reply.json()) as { usage: { prompt_tokens: number; cost: number; estimated?: boolean } };
      expect(shown.prompt_tokens).toBeGreaterThan(0);
      expect(shown.estimated).toBe('prompt_tokens' in usage ? undefined : true);
      expect(await readCharge(reply.headers.get('x-request-id') ?? '')).toBe(shown.cost);
    }
  });
});
