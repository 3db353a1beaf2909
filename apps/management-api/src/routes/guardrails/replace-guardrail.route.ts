import { guardrailBody } from '@weir/contracts';
import { checkGuardrail } from '../../records/guardrail-scope';
import { readRuleAddress } from '../../records/rule-routes';
import { describeRule, replaceRule } from '../../records/rules';
import { defineRoute, ok } from '../../route/route';

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
        check: (tx) => checkGuardrail(tx, call.organizationId, { document, replacedId: call.params['id'] }),
      },
    );
    return ok({ guardrail: describeRule(rule) });
  },
});
