import { guardrailBody } from '@weir/contracts';
import { checkGuardrail } from '../../records/guardrail-scope';
import { createRule, publicId } from '../../records/rules';
import { created, defineRoute } from '../../route/route';

export const createGuardrail = defineRoute({
  id: 'create-guardrail',
  body: guardrailBody,
  run: async (call, parts) => {
    const { name, ...document } = call.body;
    const rule = await createRule(
      parts,
      { ...call, action: 'create-guardrail' },
      { kind: 'guardrail', name, document, check: (tx) => checkGuardrail(tx, call.organizationId, { document }) },
    );
    return created({ id: publicId(rule) });
  },
});
