import { createHmac } from 'node:crypto';
import { encodeAlertNotice, type AlertNotice } from './alert-notice';
import { encodeAlertEmail } from './encode-email';
import { encodeSlackMessage } from './encode-slack-message';
import { DELIVERY_ATTEMPTS_MAX, planRedelivery } from './plan-redelivery';
import { signWebhook } from './sign-webhook';

const notice: AlertNotice = {
  id: 'f1',
  alertId: 'a1',
  organizationId: 'o1',
  kind: 'crossed',
  scope: 'member',
  scopeId: 'g1/m1',
  scopeName: 'ann@example.com',
  period: '2026-11',
  repetition: 0,
  percentage: '80.5',
  value: 8_050_000_000_001n,
  threshold: 8_050_000_000_000n,
  details: {},
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

const LIMIT: AlertNotice = {
  ...{ ...notice, scope: 'limit', scopeId: 'l1', scopeName: 'Tokens of a day', period: 'limit:l1:tokens:-:day@1', repetition: 2 },
  ...{ value: 850n, threshold: 800n, percentage: '80' },
  details: {
    unit: 'tokens',
    limit: {
      name: 'Tokens of a day',
      measure: 'tokens',
      window: 'day',
      windowEnd: '2026-11-22T00:00:00.000Z',
      amount: '1000',
      partition: null,
    },
  },
};
const ANOMALY: AlertNotice = {
  ...{ ...notice, scope: 'anomaly', scopeId: '', scopeName: 'ci', period: '2026-11-21/k1', percentage: null },
  details: { unit: 'USD', anomaly: { apiKeyId: 'k1', hour: '2026-11-21T00:00:00.000Z', usual: '0.5', sensitivity: 'medium' } },
};

test('a notice about a limit or an unusual hour says its unit and what it is about', () => {
  expect(JSON.parse(encodeAlertNotice(LIMIT))).toEqual({
    ...{ id: 'f1', type: 'limit.threshold', alert_id: 'a1', organization_id: 'o1', scope: 'limit', limit_id: 'l1' },
    limit: {
      name: 'Tokens of a day',
      measure: 'tokens',
      window: 'day',
      window_end: '2026-11-22T00:00:00.000Z',
      amount: '1000',
      partition: null,
    },
    ...{ period: 'limit:l1:tokens:-:day@1', repetition: 2, percentage: 80, threshold: '800', value: '850', unit: 'tokens' },
    fired_at: '2026-11-21T00:00:00.000Z',
  });
  expect(JSON.parse(encodeAlertNotice(ANOMALY))).toMatchObject({
    ...{ type: 'usage.anomaly', api_key_id: 'k1', threshold: '8.05', unit: 'USD', currency: 'USD' },
    anomaly: { hour: '2026-11-21T00:00:00.000Z', usual: '0.5', sensitivity: 'medium' },
  });
});

test('what is over, and what is only tried, have types of their own', () => {
  const types = [notice, LIMIT, ANOMALY, { ...notice, scope: 'balance' as const, scopeId: '' }].map((one) =>
    (['recovered', 'test'] as const).map((kind) => (JSON.parse(encodeAlertNotice({ ...one, kind })) as { type: string }).type),
  );
  expect(types).toEqual(['spend', 'limit', 'usage', 'balance'].map((topic) => [`${topic}.recovered`, 'test']));
});

test('in words for people, with nothing in a name that would be a link, a call on people or a line of its own', () => {
  const hostile = { ...LIMIT, scopeName: 'a & <!channel>\r\nBcc: x@example.com @here' };
  const { text, blocks } = JSON.parse(encodeSlackMessage(hostile)) as { text: string; blocks: unknown[] };
  expect(text.split('\n')).toEqual([
    '*The limit "a &amp; &lt;!channel&gt; Bcc: x@example.com @\u200bhere" has reached 80% of its limit*',
    'Used: 850 tokens',
    'Threshold: 800 tokens',
    'Limit: 1000 tokens (tokens, day)',
    'Window ends: 2026-11-22T00:00:00.000Z',
    'Period: limit:l1:tokens:-:day@1',
    'Repetition: 2',
    'Noticed: 2026-11-21 00:00:00 UTC',
    'Alert: a1',
  ]);
  expect(blocks).toHaveLength(2);
  const mail = encodeAlertEmail(hostile, 'Weir <alerts@example.com>');
  expect(mail.subject).toBe('The limit "a & <!channel> Bcc: x@example.com @here" has reached 80% of its limit');
  expect(mail.messageId).toBe('<alert-f1@example.com>');
  expect(mail.html).toContain('a &amp; &lt;!channel&gt; Bcc');
  expect(mail.text).not.toContain('\r');
});

test('each kind of notice has a line of its own', () => {
  const titles = [
    notice,
    { ...notice, kind: 'recovered' as const },
    { ...notice, kind: 'test' as const },
    { ...notice, scope: 'balance' as const, scopeId: '', percentage: null },
    { ...notice, scope: 'balance' as const, scopeId: '', kind: 'recovered' as const },
    ANOMALY,
    { ...ANOMALY, kind: 'recovered' as const },
    { ...ANOMALY, kind: 'test' as const, scopeName: null, details: {} },
    { ...notice, scope: 'key' as const, percentage: null, scopeName: null, scopeId: 'k1' },
  ].map((one) => encodeAlertEmail(one, 'alerts@example.com').subject);
  expect(titles).toEqual([
    'The member "ann@example.com" has reached 80.5% of its limit',
    'The member "ann@example.com" is below 80.5% of its limit again',
    'Test of an alert about the member "ann@example.com": nothing has happened',
    'The balance is low: 8.050000000001 USD left',
    'The balance is no longer low',
    'The key "ci" is far above what is usual for it',
    'The key "ci" is as usual again',
    'Test of an alert about every key: nothing has happened',
    'The key "k1" has reached 8.05 USD',
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
