import { getEndpoint } from '@weir/contracts';
import type { Refusal } from '@weir/database';
import { GatewayError } from '@weir/errors';
import type { RequestScope } from '@weir/http-server';
import { createLogger } from '@weir/telemetry';
import { createRefusalLog } from './create-refusal-log';

const LIMIT = {
  ...{ id: null, name: 'monthly limit', scope: 'key', measure: 'usd', window: 'month', limit: '1' },
  ...{ used: '1', remaining: '0', asked: '0.1', frees_at: null },
};

function open() {
  const kept: Refusal[] = [];
  const clock = { nowMs: 0 };
  let purges = 0;
  const store = {
    write: (refusals: readonly Refusal[]) => Promise.resolve(void kept.push(...refusals)),
    purge: () => Promise.resolve(void (purges += 1)),
  };
  const log = createRefusalLog({ store, now: () => clock.nowMs, log: createLogger({ service: 'test', level: 'silent' }) });
  const scopeOf = (organizationId: string | undefined): RequestScope => ({
    ...{ id: 'request-1', startedAtMs: 0, startedMonotonicMs: 0, endpoint: getEndpoint('chat-completions') },
    notes: { organizationId, apiKeyId: organizationId === undefined ? undefined : 'key', model: 'sandbox/chat' },
  });
  return { log, kept, clock, scopeOf, purges: () => purges };
}

it('keeps who was refused, why and by which limit, and nothing of what is no refusal of ours', async () => {
  const { log, kept, scopeOf, purges } = open();
  log.note(new GatewayError('limit_reached', 'The monthly limit is reached.', { limit: LIMIT }), scopeOf('org'));
  log.note(new GatewayError('invalid_request', '`x` is "my secret text".'), scopeOf('org'));
  log.note(new GatewayError('provider_overloaded', 'Busy.'), scopeOf('org'));
  log.note(new GatewayError('invalid_credentials', 'Unknown.'), scopeOf(undefined));
  await log.close();
  expect(kept).toEqual([
    {
      ...{ organizationId: 'org', apiKeyId: 'key', requestId: 'request-1', atMs: 0, endpoint: 'chat-completions', model: 'sandbox/chat' },
      ...{ status: 412, code: 'limit_reached', message: 'The monthly limit is reached.', limit: LIMIT },
    },
  ]);
  expect(purges()).toBe(1);
});

it('keeps sixty a minute of an organization, whatever others do', async () => {
  const { log, kept, clock, scopeOf } = open();
  const refused = new GatewayError('model_not_allowed', 'No.');
  for (let count = 0; count < 200; count += 1) log.note(refused, scopeOf('loud'));
  log.note(refused, scopeOf('quiet'));
  clock.nowMs = 60_000;
  log.note(refused, scopeOf('loud'));
  await log.close();
  const count = (organizationId: string) => kept.filter((one) => one.organizationId === organizationId).length;
  expect([count('loud'), count('quiet')]).toEqual([61, 1]);
});
