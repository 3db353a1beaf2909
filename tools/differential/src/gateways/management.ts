import type { Gateway } from './start-gateway';

export type Manage = (route: string, body?: object) => Promise<Record<string, unknown>>;

/** Calls a gateway's management interface with a key; what is refused is an error. */
export function createManage({ url, name }: Gateway, apiKey: string): Manage {
  return async (route, body) => {
    const [method = '', path = ''] = route.split(' ');
    const reply = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${name}: ${route} returned ${reply.status}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
  };
}
