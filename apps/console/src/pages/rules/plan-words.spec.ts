import { describeDataRules, nameObstacle, nameReason } from './plan-words';

it('says in words what a plan says in codes', () => {
  const order = { policy: 'policy/p', members: [] };
  expect(nameObstacle('model_not_allowed')).toBe('access list');
  expect(nameObstacle('unheard_of')).toBe('unheard_of');
  expect(nameReason({ ...order, strategy: 'weighted', reason: 'sticky' })).toContain('the same way');
  expect(nameReason({ ...order, strategy: 'price', reason: 'price' })).toBe('the cheapest first');
  expect(describeDataRules(null)).toBe('');
  expect(describeDataRules({ data_residency: null, zero_data_retention: false, data_used_for_training: true })).toBe(
    'No data rules hold for it.',
  );
  expect(describeDataRules({ data_residency: 'eu', zero_data_retention: true, data_used_for_training: false })).toBe(
    'Its content stays in the EU, is kept by no one, is not used for training.',
  );
});
