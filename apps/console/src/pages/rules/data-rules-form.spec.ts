import { fillDataRules, toDataRulesBody } from './data-rules-form';

it.each([
  { data_residency: null, zero_data_retention: false, data_used_for_training: true, approved_models: null },
  {
    ...{ data_residency: 'eu' as const, zero_data_retention: true, data_used_for_training: false },
    approved_models: { chat: ['a/*'], embedding: [], image: [], speech: [], transcription: ['b/c'] },
  },
])('sends settings as they were read when nothing is changed: %j', (settings) => {
  expect(toDataRulesBody(fillDataRules(settings))).toEqual(settings);
});
