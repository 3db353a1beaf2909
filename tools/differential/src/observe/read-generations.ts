import type { Sight } from '../compare/place';
import { flatten } from './flatten';

/** A request that got an id: what it stands for, and the key that may ask about it. */
export type Asked = { readonly subject: string; readonly apiKey: string };

/** What the gateway explains of each request to its organization's administrators. */
export async function readGenerations(url: string, requests: ReadonlyMap<string, Asked>): Promise<Sight[]> {
  const sights: Sight[] = [];
  for (const [id, { subject, apiKey }] of requests) {
    const reply = await fetch(`${url}/v1/generation/${id}`, { headers: { authorization: `Bearer ${apiKey}` } });
    const text = await reply.text();
    sights.push({ subject, place: 'generation', text: [`status ${reply.status}`, ...flatten(JSON.parse(text))].join('\n') });
  }
  return sights;
}
