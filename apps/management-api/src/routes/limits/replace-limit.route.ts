import { limitBody } from '@weir/contracts';
import { checkLimit } from '../../records/limits';
import { readRuleAddress } from '../../records/rule-routes';
import { describeRule, replaceRule } from '../../records/rules';
import { defineRoute, ok } from '../../route/route';

export const replaceLimit = defineRoute({
  id: 'replace-limit',
  body: limitBody,
  run: async (call, parts) => {
    const { organizationId } = call;
    const { name, ...document } = call.body;
    const { catalog } = parts;
    const rule = await replaceRule(
      parts,
      { ...call, action: 'replace-limit' },
      {
        address: readRuleAddress('limit', call.params),
        name,
        document,
        check: (tx) => checkLimit(tx, organizationId, { document, catalog, isNew: false }),
      },
    );
    return ok({ limit: describeRule(rule) });
  },
});
