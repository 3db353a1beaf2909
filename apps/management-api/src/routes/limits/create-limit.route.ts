import { limitBody } from '@weir/contracts';
import { checkLimit } from '../../records/limits';
import { createRule, publicId } from '../../records/rules';
import { created, defineRoute } from '../../route/route';

export const createLimit = defineRoute({
  id: 'create-limit',
  body: limitBody,
  run: async (call, parts) => {
    const { organizationId } = call;
    const { name, ...document } = call.body;
    const { catalog } = parts;
    const rule = await createRule(
      parts,
      { ...call, action: 'create-limit' },
      { kind: 'limit', name, document, check: (tx) => checkLimit(tx, organizationId, { document, catalog, isNew: true }) },
    );
    return created({ id: publicId(rule) });
  },
});
