import type { GuardrailRule } from '../rules/guardrail-rule';
import { tryRules } from './try-rules';

const TEXT = 'Write to ann@example.com about EMP-1234.';

function rule(id: string, more: Partial<GuardrailRule>): GuardrailRule {
  return { id, version: 1, name: id, detectors: ['email'], action: 'mask', stage: 'both', onError: 'closed', ...more };
}

describe('trying rules on a text', () => {
  it('shows what each rule finds by itself, and what would go on', () => {
    const badge: Partial<GuardrailRule> = { detectors: [{ name: 'badge', pattern: 'EMP-\\d{4}' }], action: 'flag' };
    const tried = tryRules(TEXT, [rule('addresses', {}), rule('badges', badge), rule('again', { action: 'flag' })], 'input');

    expect([tried.outcome, tried.text]).toEqual(['masked', 'Write to [EMAIL_1] about EMP-1234.']);
    expect(tried.findings.map(({ rule: { name }, detector, start, end }) => [name, detector, TEXT.slice(start, end)])).toEqual([
      ['addresses', 'email', 'ann@example.com'],
      ['badges', 'badge', 'EMP-1234'],
      ['again', 'email', 'ann@example.com'],
    ]);
  });

  it('lets nothing go on that a rule stops, and changes nothing where nothing is found', () => {
    expect(tryRules(TEXT, [rule('mask', {}), rule('stop', { action: 'block' })], 'input')).toMatchObject({
      outcome: 'blocked',
      text: null,
    });
    expect(tryRules(TEXT, [rule('flag', { action: 'flag' })], 'input')).toMatchObject({ outcome: 'flagged', text: TEXT });
    expect(tryRules('Good morning.', [rule('mask', {})], 'input')).toEqual({ outcome: 'passed', text: 'Good morning.', findings: [] });
  });

  it('looks only with rules of the stage, and by their own words each time', () => {
    expect(tryRules(TEXT, [rule('replies', { stage: 'output' })], 'input').findings).toEqual([]);
    expect(tryRules(TEXT, [rule('replies', { stage: 'output' })], 'output').outcome).toBe('masked');
    expect(tryRules(TEXT, [rule('replies', { detectors: ['card'], stage: 'output' })], 'output').outcome).toBe('passed');
  });
});
