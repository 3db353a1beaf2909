import { testGuardrailBody, type GuardrailDocument } from '@weir/contracts';
import { tryRules } from '@weir/guardrails';
import { checkPatterns } from '../../records/guardrail-scope';
import { describeTriedRules, readTriedRule, type TriedRule } from '../../records/tried-rules';
import { getRule } from '../../records/rules';
import { defineRoute, ok } from '../../route/route';

/** What guardrails find in a text. It is looked at in this process alone, and neither it nor what was found is kept or logged. */
export const testGuardrail = defineRoute({
  id: 'test-guardrail',
  body: testGuardrailBody,
  run: async ({ organizationId, body }, { database }) => {
    const { text, stage, guardrail, guardrail_ids: ids = [] } = body;
    const asked: TriedRule[] = [];
    if (guardrail !== undefined) {
      const { name, ...document } = guardrail;
      checkPatterns(document, 'guardrail.');
      asked.push(readTriedRule({ id: null, name, document }));
    }
    await database.asOrganization(organizationId).transact(async (tx) => {
      for (const id of new Set(ids)) {
        const { name, document } = await getRule(tx, organizationId, { kind: 'guardrail', id });
        asked.push(readTriedRule({ id, name, document: document as GuardrailDocument }));
      }
    });
    const rules = asked.map(({ rule }) => rule);
    return ok(describeTriedRules(asked, stage, tryRules(text, rules, stage)));
  },
});
