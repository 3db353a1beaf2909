import { createPolicyBody } from '@weir/contracts';
import { checkPolicyModels } from '../../records/rule-models';
import { createRule, publicId } from '../../records/rules';
import { created, defineRoute } from '../../route/route';

export const createPolicy = defineRoute({
  id: 'create-policy',
  body: createPolicyBody,
  run: async (call, parts) => {
    const { name, ...document } = call.body;
    const { organizationId } = call;
    const rule = await createRule(
      parts,
      { ...call, action: 'create-policy' },
      { kind: 'policy', name, document, check: (tx) => checkPolicyModels(tx, { organizationId, catalog: parts.catalog, name, document }) },
    );
    return created({ id: publicId(rule) });
  },
});
