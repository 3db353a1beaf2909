import { replaceAliasBody } from '@weir/contracts';
import { checkAliasModel, checkSameName } from '../../records/rule-models';
import { describeRule, replaceRule } from '../../records/rules';
import { defineRoute, ok } from '../../route/route';

export const replaceAlias = defineRoute({
  id: 'replace-alias',
  body: replaceAliasBody,
  run: async (call, parts) => {
    const { name: given, ...document } = call.body;
    const { organizationId } = call;
    const { catalog } = parts;
    const name = call.params['name'] ?? '';
    checkSameName(given, name);
    const rule = await replaceRule(
      parts,
      { ...call, action: 'replace-alias' },
      {
        address: { kind: 'alias', name },
        document,
        check: (tx) => checkAliasModel(tx, { organizationId, catalog, model: document.model }),
      },
    );
    return ok({ alias: describeRule(rule) });
  },
});
