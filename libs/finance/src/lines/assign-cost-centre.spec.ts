import fc from 'fast-check';
import { assignCostCentre, NO_COST_CENTRES, type CostCentreRules } from './assign-cost-centre';

const line = (more: Partial<Parameters<typeof assignCostCentre>[1]> = {}) => ({
  ...{ apiKeyId: 'key', memberId: null, groupId: null, keyLabels: {}, groupLabels: {} },
  ...more,
});
const rules: CostCentreRules = {
  label: 'cc',
  rules: [
    { cost_centre: 'of the key', api_key_id: 'key' },
    { cost_centre: 'of the group', group_id: 'group' },
    { cost_centre: 'of the member', member_id: 'member' },
  ],
  default: 'rest',
};

describe('the cost centre of a line', () => {
  it.each([
    [line({ keyLabels: { cc: '1' }, groupLabels: { cc: '2' } }), '1', 'api_key_label'],
    [line({ groupLabels: { cc: '2' } }), '2', 'group_label'],
    [line({ keyLabels: { cc: '', other: 'x' } }), 'of the key', 'rule'],
    [line({ groupId: 'group' }), 'of the key', 'rule'],
    [line({ apiKeyId: 'other', groupId: 'group', memberId: 'member' }), 'of the group', 'rule'],
    [line({ apiKeyId: 'other', memberId: 'member' }), 'of the member', 'rule'],
    [line({ apiKeyId: 'other' }), 'rest', 'default'],
  ])('of %j is %s, by %s', (of, costCentre, by) => {
    expect(assignCostCentre(rules, of)).toEqual({ costCentre, by });
  });

  it('is one for all where no rules were given', () => {
    expect(assignCostCentre(NO_COST_CENTRES, line({ keyLabels: { cc: '1' } }))).toEqual({ costCentre: 'Unassigned', by: 'default' });
  });

  it('takes no label for one that every object has', () => {
    expect(assignCostCentre({ ...rules, label: 'constructor' }, line({ apiKeyId: 'other' }))).toMatchObject({ costCentre: 'rest' });
  });

  it('is exactly one, and the sums of cost centres are the sum of all, whatever the rules', () => {
    const id = fc.constantFrom('a', 'b', 'c');
    const aRule = fc.oneof(
      fc.record({ cost_centre: id, group_id: id }),
      fc.record({ cost_centre: id, api_key_id: id }),
      fc.record({ cost_centre: id, member_id: id }),
    );
    const aLine = fc.record({
      ...{ apiKeyId: id, memberId: fc.option(id), groupId: fc.option(id) },
      ...{ keyLabels: fc.dictionary(fc.constantFrom('cc', 'x'), id), groupLabels: fc.dictionary(fc.constantFrom('cc', 'x'), id) },
      pico: fc.bigInt({ min: 0n, max: 10n ** 20n }),
    });
    fc.assert(
      fc.property(fc.array(aLine), fc.array(aRule), fc.option(fc.constant('cc')), (lines, some, label) => {
        const sums = new Map<string, bigint>();
        for (const one of lines) {
          const { costCentre } = assignCostCentre({ label, rules: some, default: 'rest' }, one);
          sums.set(costCentre, (sums.get(costCentre) ?? 0n) + one.pico);
        }
        expect([...sums.values()].reduce((sum, of) => sum + of, 0n)).toBe(lines.reduce((sum, { pico }) => sum + pico, 0n));
      }),
    );
  });
});
