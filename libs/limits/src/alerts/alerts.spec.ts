import { createHmac } from 'node:crypto';
import { encodeAlertNotice, type AlertNotice } from './alert-notice';
import { DELIVERY_ATTEMPTS_MAX, planRedelivery } from './plan-redelivery';
import { signWebhook } from './sign-webhook';

const notice: AlertNotice = {
  id: 'f1',
  alertId: 'a1',
  organizationId: 'o1',
  scope: 'member',
  scopeId: 'g1/m1',
  period: '2026-11',
  percentage: '80.5',
  valuePico: 8_050_000_000_001n,
  thresholdPico: 8_050_000_000_000n,
  firedAtMs: Date.UTC(2026, 10, 21),
};

test('a notice names what crossed which threshold, in exact amounts', () => {
  expect(JSON.parse(encodeAlertNotice(notice))).toEqual({
    id: 'f1',
    type: 'spend.threshold',
    alert_id: 'a1',
    organization_id: 'o1',
    scope: 'member',
    group_id: 'g1',
    member_id: 'm1',
    period: '2026-11',
    percentage: 80.5,
    threshold: '8.05',
    value: '8.050000000001',
    currency: 'USD',
    fired_at: '2026-11-21T00:00:00.000Z',
  });
  const targets = (['key', 'group', 'balance'] as const).map((scope) => {
    const { type, api_key_id, group_id } = JSON.parse(encodeAlertNotice({ ...notice, scope, scopeId: 'x' })) as Record<string, unknown>;
    return { type, api_key_id, group_id };
  });
  expect(targets).toEqual([
    { type: 'spend.threshold', api_key_id: 'x' },
    { type: 'spend.threshold', group_id: 'x' },
    { type: 'balance.low' },
  ]);
});

test('a signature covers the body and the second in which it was made', () => {
  const headers = signWebhook('{"a":1}', 'secret', 1_700_000_000_999);
  expect(headers).toEqual({
    'x-weir-timestamp': '1700000000',
    'x-weir-signature': `v1=${createHmac('sha256', 'secret').update('1700000000.{"a":1}').digest('hex')}`,
  });
  expect(signWebhook('{"a":1}', 'secret', 1_700_000_001_000)).not.toEqual(headers);
  expect(signWebhook('{"a":1}', 'other', 1_700_000_000_000)['x-weir-signature']).not.toBe(headers['x-weir-signature']);
});

test('redeliveries back off with jitter and end', () => {
  expect([1, 2, 3, 9].map((attempts) => planRedelivery(attempts, () => 1))).toEqual([5_000, 20_000, 80_000, 3_600_000]);
  expect(planRedelivery(1, () => 0)).toBe(2_500);
  expect(planRedelivery(DELIVERY_ATTEMPTS_MAX, () => 0)).toBeUndefined();
});
