import { EMPTY_ALERT, findAlertErrors, findChangeErrors, toAlertForm, toCreateAlert, toUpdateAlert, type Alert } from './alert-form';

const url = 'https://hooks.example.com/weir';
const channel = 'webhook';
const limit = 'b2d7e1f0-3a3a-4c3e-9d5e-0a5b0c9d1e11';

describe('the form of an alert', () => {
  it('watches the balance', () => {
    expect(toCreateAlert({ ...EMPTY_ALERT, value: '$5', url })).toEqual({ scope: 'balance', amount: 5, channel, url });
  });

  it('sends only the targets of its scope', () => {
    const form = {
      ...EMPTY_ALERT,
      scope: 'member',
      key: 'k1',
      group: 'g1',
      member: 'u1',
      measure: 'percentage',
      value: '80',
      url,
    } as const;

    expect(toCreateAlert(form)).toEqual({ scope: 'member', group_id: 'g1', member_id: 'u1', percentage: 80, channel, url });
    expect(toCreateAlert({ ...form, scope: 'key' })).toEqual({ scope: 'key', api_key_id: 'k1', percentage: 80, channel, url });
    expect(toCreateAlert({ ...form, scope: 'anomaly', least: '5' })).toEqual({
      ...{ scope: 'anomaly', api_key_id: 'k1', measure: 'usd', sensitivity: 'medium', min_amount: 5, channel, url },
    });
    expect(toCreateAlert({ ...form, scope: 'anomaly', key: '' })).not.toHaveProperty('api_key_id');
    expect(toCreateAlert({ ...form, scope: 'limit', limit, measure: 'amount', value: '2,000,000,000' })).toMatchObject({
      ...{ scope: 'limit', limit_id: limit, amount: 2_000_000_000 },
    });
  });

  it('sends an e-mail to each address that is named, and a repetition only where one is', () => {
    const form = {
      ...EMPTY_ALERT,
      value: '5',
      channel: 'email',
      to: 'ann@example.com, bob@example.com;',
      url,
      repeat: '24',
      recovery: true,
    } as const;

    expect(toCreateAlert(form)).toEqual({
      ...{
        scope: 'balance',
        amount: 5,
        channel: 'email',
        to: ['ann@example.com', 'bob@example.com'],
        repeat_hours: 24,
        notify_recovery: true,
      },
    });
    expect(findAlertErrors(form)).toEqual({});
    expect(Object.keys(findAlertErrors({ ...form, to: 'ann' }))).toEqual(['to.0']);
    expect(Object.keys(findAlertErrors({ ...form, to: '', repeat: 'daily' }))).toEqual(['repeat_hours', 'to']);
    expect(Object.keys(findAlertErrors({ ...form, repeat: '721' }))).toEqual(['repeat_hours']);
  });

  it('says what is wrong', () => {
    const errors = findAlertErrors({ ...EMPTY_ALERT, scope: 'member' });

    expect(errors).toMatchObject({ group_id: 'Choose one.', member_id: 'Choose one.', amount: 'Write an amount.' });
    expect(errors['url']).toBe('must be an address such as https://example.com');
    expect(findAlertErrors({ ...EMPTY_ALERT, measure: 'percentage', value: '0', url })).toEqual({ percentage: 'must be greater than 0' });
    expect(findAlertErrors({ ...EMPTY_ALERT, value: '0', url })).toEqual({});
    expect(findAlertErrors({ ...EMPTY_ALERT, scope: 'limit', url, value: 'many' })).toMatchObject({
      limit_id: 'Choose one.',
      amount: 'Write a number.',
    });
    expect(findAlertErrors({ ...EMPTY_ALERT, scope: 'anomaly', url, least: '-1' })).toHaveProperty('min_amount');
  });
});

describe('the form of an alert that there is', () => {
  const alert = {
    ...{ id: 'a', scope: 'anomaly', percentage: null, amount: null, measure: 'requests', sensitivity: 'high', min_amount: '50' },
    ...{ channel: 'slack', target: 'https://hooks.example.com/…', url: null, repeat_hours: 6, notify_recovery: true, created_at: '' },
  } as const satisfies Alert;

  it('changes what it says, and an address only where one is written', () => {
    const form = toAlertForm(alert);
    expect(findChangeErrors(form)).toEqual({});
    expect(toUpdateAlert(form)).toEqual({ sensitivity: 'high', min_amount: 50, repeat_hours: 6, notify_recovery: true });
    expect(toUpdateAlert({ ...form, repeat: '', url })).toMatchObject({ repeat_hours: null, url });
    const spend = toAlertForm({ ...alert, scope: 'key', percentage: 80 });
    expect(toUpdateAlert(spend)).toMatchObject({ percentage: 80 });
  });
});
