import { limitBody } from '@weir/contracts';
import { checkLimit, checkStaysAbout } from '../../records/limits';
import { requireId } from '../../records/require-id';
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
        check: async (tx) => {
          await checkLimit(tx, organizationId, { document, catalog, isNew: false });
          await checkStaysAbout(tx, organizationId, { id: requireId(call.params['id'], 'limit'), document });
        },
      },
    );
    return ok({ limit: describeRule(rule) });
  },
});
