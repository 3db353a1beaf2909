import { randomUUID } from 'node:crypto';
import { LIMIT_MEASURES } from '@weir/contracts';
import type { DistributedHarness } from '@weir/gateway-e2e';

/** Never reached: they make every request hold some of every measure. */
const OUT_OF_REACH = { usd: '1000000', others: '1000000000000' };

type Managed = Pick<DistributedHarness, 'managementUrl' | 'apiKey'>;

async function manage({ managementUrl, apiKey }: Managed, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const reply = await fetch(`${managementUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/** Makes a limit; returns its id. Whatever counts what runs at a moment has no window. */
export async function createLimit(gateway: Managed, limit: { measure: string; [field: string]: unknown }): Promise<string> {
  const isConcurrent = limit.measure.startsWith('concurrent_');
  const body = { name: `${limit.measure} ${randomUUID()}`, ...(isConcurrent ? {} : { window: 'total' }), ...limit };
  return String((await manage(gateway, 'POST', '/v1/manage/limit', body))['id']);
}

/** A month of the administrator's key and all of the organization, in every measure. */
export async function limitEverything(gateway: Managed): Promise<void> {
  const self = await manage(gateway, 'GET', '/v1/manage/apikey/self');
  await manage(gateway, 'POST', `/v1/manage/apikey/${String(self['id'])}/limit`, { monthly_limit: Number(OUT_OF_REACH.usd) });
  for (const { name: measure } of LIMIT_MEASURES) {
    await createLimit(gateway, { scope: 'organization', measure, amount: measure === 'usd' ? OUT_OF_REACH.usd : OUT_OF_REACH.others });
  }
}
