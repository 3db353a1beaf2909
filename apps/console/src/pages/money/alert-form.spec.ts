import { EMPTY_ALERT, findAlertErrors, toCreateAlert } from './alert-form';

const url = 'https://hooks.example.com/weir';

describe('the form of an alert', () => {
  it('watches the balance', () => {
    expect(toCreateAlert({ ...EMPTY_ALERT, value: '$5', url })).toEqual({ scope: 'balance', amount: 5, url });
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

    expect(toCreateAlert(form)).toEqual({ scope: 'member', group_id: 'g1', member_id: 'u1', percentage: 80, url });
    expect(toCreateAlert({ ...form, scope: 'key' })).toEqual({ scope: 'key', api_key_id: 'k1', percentage: 80, url });
  });

  it('says what is wrong', () => {
    const errors = findAlertErrors({ ...EMPTY_ALERT, scope: 'member' });

    expect(errors).toMatchObject({ group_id: 'Choose one.', member_id: 'Choose one.', amount: 'Write an amount.' });
    expect(errors['url']).toBe('must be an address such as https://example.com');
    expect(findAlertErrors({ ...EMPTY_ALERT, measure: 'percentage', value: '0', url })).toEqual({ percentage: 'must be greater than 0' });
    expect(findAlertErrors({ ...EMPTY_ALERT, value: '0', url })).toEqual({});
  });
});
