import { createAliasBody } from '@weir/contracts';
import { checkAliasModel, checkIsNoModel } from '../../records/rule-models';
import { createRule, publicId } from '../../records/rules';
import { created, defineRoute } from '../../route/route';

export const createAlias = defineRoute({
  id: 'create-alias',
  body: createAliasBody,
  run: async (call, parts) => {
    const { name, ...document } = call.body;
    const { organizationId } = call;
    const { catalog } = parts;
    checkIsNoModel(name, catalog);
    const rule = await createRule(
      parts,
      { ...call, action: 'create-alias' },
      { kind: 'alias', name, document, check: (tx) => checkAliasModel(tx, { organizationId, catalog, model: document.model }) },
    );
    return created({ id: publicId(rule) });
  },
});
