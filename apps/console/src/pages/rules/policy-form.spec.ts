import { addRow, EMPTY_POLICY, fillPolicy, findPolicyErrors, moveRow, toPolicyBody, type PolicyRow } from './policy-form';

const POLICY = {
  ...{ id: 'policy/main', name: 'main', version: 2, created_at: '', updated_at: '', strategy: 'weighted' as const },
  sticky_by: 'user_id' as const,
  ...{ first_content_ms: 5000, idle_ms: 30_000 },
  models: [
    { model: 'a/b', weight: 2.5, retries: 1 },
    { model: 'policy/other', weight: 1, retries: 0 },
  ],
};
const row = (id: number, more: Partial<PolicyRow> = {}): PolicyRow => ({ id, model: `m/${id}`, weight: '1', retries: '0', ...more });

it('sends a policy as it was read when nothing is changed', () => {
  const { id: _id, version: _version, created_at: _created, updated_at: _updated, ...written } = POLICY;
  expect(toPolicyBody(fillPolicy(POLICY))).toEqual(written);
});

it('sends weights only where they mean something', () => {
  const form = { ...fillPolicy(POLICY), strategy: 'fallback' as const };
  expect(toPolicyBody(form).models).toEqual(POLICY.models.map((member) => ({ ...member, weight: 1 })));
});

it('says at each member what is wrong with it', () => {
  const rows = [row(0, { model: ' ' }), row(1, { weight: '0' }), row(2, { weight: '', retries: '9' })];
  expect(findPolicyErrors({ ...EMPTY_POLICY, name: 'p', strategy: 'weighted', rows })).toEqual({
    'models.0.model': 'Choose a model or a policy.',
    'models.1.weight': 'must be greater than 0',
    'models.2.weight': 'Write a weight.',
    'models.2.retries': 'must be at most 5',
  });
  expect(findPolicyErrors(fillPolicy(POLICY))).toEqual({});
  expect(Object.keys(findPolicyErrors({ ...fillPolicy(POLICY), firstContentMs: '5', idleMs: 'x' }))).toEqual([
    'first_content_ms',
    'idle_ms',
  ]);
  expect(Object.keys(findPolicyErrors({ ...fillPolicy(POLICY), name: 'two words' }))).toEqual(['name']);
});

it('adds rows that are new, and moves them', () => {
  expect(addRow([row(4), row(2)]).map(({ id }) => id)).toEqual([4, 2, 5]);
  expect(moveRow([row(0), row(1), row(2)], 2, -1).map(({ id }) => id)).toEqual([0, 2, 1]);
  expect(moveRow([row(0), row(1)], 0, -1).map(({ id }) => id)).toEqual([0, 1]);
});
