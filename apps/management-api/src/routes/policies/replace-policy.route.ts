import { replacePolicyBody } from '@weir/contracts';
import { checkPolicyModels, checkSameName } from '../../records/rule-models';
import { describeRule, replaceRule } from '../../records/rules';
import { defineRoute, ok } from '../../route/route';

export const replacePolicy = defineRoute({
  id: 'replace-policy',
  body: replacePolicyBody,
  run: async (call, parts) => {
    const { name: given, ...document } = call.body;
    const { organizationId } = call;
    const name = call.params['name'] ?? '';
    checkSameName(given, name);
    const rule = await replaceRule(
      parts,
      { ...call, action: 'replace-policy' },
      {
        address: { kind: 'policy', name },
        document,
        check: (tx) => checkPolicyModels(tx, { organizationId, catalog: parts.catalog, name, document }),
      },
    );
    return ok({ policy: describeRule(rule) });
  },
});
