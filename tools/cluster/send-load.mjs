import { setTimeout as pause } from 'node:timers/promises';

/** Asks for a chat reply; returns its price, and throws what was wrong with it. */
export async function askChat({ url, key }, content, stream) {
  const reply = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'sandbox/chat',
      messages: [{ role: 'user', content }],
      ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
    }),
  });
  const text = await reply.text();
  const isWhole = reply.status === 200 && (!stream || text.includes('data: [DONE]'));
  const price = /"cost":\s*([0-9.eE+-]+)/.exec(text)?.[1];
  if (!isWhole || price === undefined) throw new Error(`${reply.status} ${text.slice(-200)}`);
  return price;
}

/** Callers that ask again and again, and others that stream, until they are stopped. */
export function startLoad(target, { callers, pauseMs, streams, stream }) {
  const prices = [];
  const failures = [];
  let isOver = false;
  const ask = async (content, isStream) => {
    try {
      prices.push(Number(await askChat(target, content, isStream)));
    } catch (error) {
      failures.push(`${isStream ? 'stream' : 'whole'}: ${error.message} ${error.cause?.code ?? ''}`);
    }
  };
  const keep = async (content, isStream) => {
    while (!isOver) {
      await ask(content, isStream);
      if (!isStream) await pause(pauseMs);
    }
  };
  const all = [
    ...Array.from({ length: callers }, () => keep('hello', false)),
    ...Array.from({ length: streams }, () => keep(stream, true)),
  ];
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(all);
      return { prices, failures };
    },
  };
}
