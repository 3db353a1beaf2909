import type { OrganizationRule, OrganizationRulesDirectory, SealedCredential } from '@weir/access';
import type { Pool } from 'pg';
import { ANSWER_TIMEOUT_MS } from '../postgres/statement-timeout';

const RULES = {
  name: 'weir-find-rules',
  text: `SELECT kind, id, name, version, document, floor(extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs"
    FROM organization_rule WHERE organization_id = $1 ORDER BY created_at, id`,
  query_timeout: ANSWER_TIMEOUT_MS,
};

const CREDENTIALS = {
  name: 'weir-find-credentials',
  text: `SELECT id, name, provider, mode, version, dek_id AS "dataKeyId", nonce, ciphertext, tag FROM provider_credential
    WHERE organization_id = $1 ORDER BY created_at, id`,
  query_timeout: ANSWER_TIMEOUT_MS,
};

type RuleRow = Required<OrganizationRule> & { readonly kind: 'policy' | 'alias' | 'guardrail' | 'limit' };

/** An organization's rules as they stand in Postgres at this moment. Cache them. */
export function createOrganizationRules(pool: Pool): OrganizationRulesDirectory {
  return {
    findRules: async (organizationId) => {
      const values = [organizationId];
      const [rules, credentials] = await Promise.all([
        pool.query<RuleRow>({ ...RULES, values }),
        pool.query<SealedCredential>({ ...CREDENTIALS, values }),
      ]);
      const ofKind = (wanted: RuleRow['kind']): OrganizationRule[] =>
        rules.rows
          .filter(({ kind }) => kind === wanted)
          .map(({ kind: _, createdAtMs, ...rule }) => (wanted === 'limit' ? { ...rule, createdAtMs } : rule));
      return {
        policies: ofKind('policy'),
        aliases: ofKind('alias'),
        guardrails: ofKind('guardrail'),
        limits: ofKind('limit'),
        credentials: credentials.rows,
      };
    },
  };
}
