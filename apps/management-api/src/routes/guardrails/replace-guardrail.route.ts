import { guardrailBody } from '@weir/contracts';
import { checkGuardrailScope } from '../../records/guardrail-scope';
import { readRuleAddress } from '../../records/rule-routes';
import { describeRule, replaceRule } from '../../records/rules';
import { defineRoute, ok } from '../../route';

export const replaceGuardrail = defineRoute({
  id: 'replace-guardrail',
  body: guardrailBody,
  run: async (call, parts) => {
    const { name, ...document } = call.body;
    const rule = await replaceRule(
      parts,
      { ...call, action: 'replace-guardrail' },
      {
        address: readRuleAddress('guardrail', call.params),
        name,
        document,
        check: (tx) => checkGuardrailScope(tx, call.organizationId, document),
      },
    );
    return ok({ guardrail: describeRule(rule) });
  },
});
