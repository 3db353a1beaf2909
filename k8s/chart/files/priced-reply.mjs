// Asks the gateway once, whole and as a stream, and wants a price each time. Run by `helm test`.
import { readFileSync } from 'node:fs';

const { GATEWAY_URL: gateway, MANAGEMENT_URL: management, MODEL: model, API_KEY_FILE: keyFile } = process.env;
const authorization = `Bearer ${readFileSync(keyFile, 'utf8').trim()}`;

async function expectStatus(what, url, init = {}) {
  const reply = await fetch(url, init);
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`${what}: ${reply.status} ${text.slice(0, 300)}`);
  return text;
}

async function ask(stream) {
  const text = await expectStatus('a chat request', `${gateway}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      messages: [{ role: 'user', content: 'hello' }],
      ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
    }),
  });
  const price = /"cost":\s*([0-9.eE+-]+)/.exec(text)?.[1];
  if (price === undefined || !(Number(price) > 0)) throw new Error(`a reply without a price: ${text.slice(-300)}`);
  console.log(`${stream ? 'as a stream' : 'whole'}: ${price} USD`);
}

await expectStatus('the edge-router', `${gateway}/readyz`);
await expectStatus('the management-api', `${management}/readyz`);
await ask(false);
await ask(true);
