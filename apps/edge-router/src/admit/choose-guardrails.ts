import type { KeyRecord, OrganizationRule, OrganizationRules } from '@weir/access';
import type { GuardrailDocument, Passport, PassportGuardrail } from '@weir/contracts';

type Guardrail = { readonly reported: PassportGuardrail; readonly apiKeyId: string | undefined; readonly groupId: string | undefined };

const NOTHING: Pick<Passport, 'guardrails' | 'needs'> = {};
/** Rules stay the same objects for as long as they stand; so does what is made of them. */
const read = new WeakMap<OrganizationRules, readonly Guardrail[]>();

/** The guardrails that hold for requests of a key: the organization's, its group's and its own. No worker may pass over them. */
export function chooseGuardrails(
  rules: OrganizationRules,
  { apiKeyId, groupId }: Pick<KeyRecord, 'apiKeyId' | 'groupId'>,
): Pick<Passport, 'guardrails' | 'needs'> {
  if (rules.guardrails.length === 0) return NOTHING;
  const guardrails = readGuardrails(rules)
    .filter((one) => (one.apiKeyId ?? apiKeyId) === apiKeyId && (one.groupId ?? groupId) === groupId)
    .map(({ reported }) => reported);
  return guardrails.length === 0 ? NOTHING : { guardrails, needs: ['guardrails'] };
}

function readGuardrails(rules: OrganizationRules): readonly Guardrail[] {
  const known = read.get(rules) ?? rules.guardrails.map(readGuardrail);
  read.set(rules, known);
  return known;
}

function readGuardrail({ id, version, name, document }: OrganizationRule): Guardrail {
  // What was written was checked then; checking its patterns again would cost more than the request.
  const { on_error: onError, scanner_url: scannerUrl, api_key_id: apiKeyId, group_id: groupId, ...rest } = document as GuardrailDocument;
  const { detectors, action, stage } = rest;
  const reported = { id, version, name, detectors, action, stage, onError, ...(scannerUrl === undefined ? {} : { scannerUrl }) };
  return { reported, apiKeyId, groupId };
}
