import { EMPTY_GUARDRAIL, fillGuardrail, findGuardrailErrors, toGuardrailBody, toTriedGuardrail, type OwnDetector } from './guardrail-form';
import type { Guardrail } from './rules-queries';

const KEY = '4b1f0c1e-5a52-4c0e-9d5e-0a5b0c9d1e01';
const RULE: Guardrail = {
  ...{ id: 'g', name: 'no numbers', version: 1, created_at: '', updated_at: '', action: 'block', stage: 'input', on_error: 'open' },
  detectors: ['email', 'card', { name: 'badge', pattern: 'EMP-\\d{4}' }, { name: 'projects', words: ['blue sky', 'red tide'] }],
  scanner_url: 'https://scanner.example/v1',
  api_key_id: KEY,
};
const own = (more: Partial<OwnDetector>): OwnDetector => ({ id: 0, kind: 'pattern', name: 'badge', text: 'EMP-\\d+', ...more });

it('sends a guardrail as it was read when nothing is changed', () => {
  const { id: _id, version: _version, created_at: _created, updated_at: _updated, ...body } = RULE;
  expect(toGuardrailBody(fillGuardrail(RULE))).toEqual(body);
  expect(findGuardrailErrors(fillGuardrail(RULE))).toEqual({});
  expect(toTriedGuardrail(fillGuardrail(RULE))).not.toHaveProperty('api_key_id');
});

it('says at each detector of its own what is wrong with it', () => {
  const form = {
    ...EMPTY_GUARDRAIL,
    name: 'x',
    own: [own({ name: 'no space' }), own({ text: '(a+)+' }), own({ kind: 'words', text: 'x' })],
  };
  expect(Object.keys(findGuardrailErrors(form))).toEqual(['own.0.name', 'own.1.text', 'own.2.text']);
  expect(findGuardrailErrors({ ...EMPTY_GUARDRAIL, name: 'x', builtIn: [] })).toEqual({ detectors: 'Choose what it looks for.' });
  expect(findGuardrailErrors({ ...EMPTY_GUARDRAIL, name: 'x', scanner: 'http://scanner.example' })).toEqual({
    scanner_url: 'must be an https address',
  });
});
