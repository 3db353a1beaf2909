import type { CreditLot, OrganizationDirectory } from '@weir/access';
import type { Pool } from 'pg';
import { readShownBalance } from '../ledger/read-balance';
import { runAsOrganization } from '../tenancy/organization-database';
import { PICO_PER_USD } from '../ledger/write-postings';
import { readTopUpSettings } from '../top-ups/top-up-settings';

const FIND_NAME = { name: 'weir-organization-name', text: 'SELECT name FROM organization WHERE id = $1' };

const FIND_OPENING = {
  name: 'weir-find-opening',
  text: `SELECT floor(extract(epoch FROM effective_at) * 1000)::text AS at_ms FROM ledger_tx WHERE idempotency_key = 'opening:' || $1::text`,
};

const READ_CREDITS = {
  name: 'weir-read-credits',
  text: `SELECT kind, (amount * ${PICO_PER_USD})::numeric(38, 0)::text AS amount, (remaining * ${PICO_PER_USD})::numeric(38, 0)::text AS remaining,
      floor(extract(epoch FROM expires_at) * 1000)::text AS expires_at_ms
    FROM ledger_credit WHERE org_id = $1 AND remaining > 0 ORDER BY expires_at ASC NULLS LAST, created_at`,
};

type CreditRow = { kind: 'gift' | 'promo'; amount: string; remaining: string; expires_at_ms: string | null };

/** An organization's name, and its money as the ledger has it at this moment. */
export function createOrganizationDirectory(pool: Pool): OrganizationDirectory {
  return {
    findName: async (organizationId) => {
      const { rows } = await runAsOrganization(pool, { organizationId }, (client) =>
        client.query<{ name: string }>({ ...FIND_NAME, values: [organizationId] }),
      );
      return rows[0]?.name;
    },
    readFinance: async (organizationId) => {
      const { balance, rows, opening, autoTopUp } = await runAsOrganization(pool, { organizationId }, async (client) => {
        const balance = await readShownBalance(client, organizationId);
        const credits = await client.query<CreditRow>({ ...READ_CREDITS, values: [organizationId] });
        const opening = await client.query<{ at_ms: string }>({ ...FIND_OPENING, values: [organizationId] });
        return { balance, rows: credits.rows, opening: opening.rows[0], autoTopUp: await readTopUpSettings(client, organizationId) };
      });
      const creditsOf = (kind: CreditRow['kind']): CreditLot[] => rows.filter((row) => row.kind === kind).map(toCreditLot);
      return {
        cashPico: balance.cashPico,
        countedFromMs: opening === undefined ? null : Number(opening.at_ms),
        uncountedPico: balance.outsidePico,
        gift: { balancePico: balance.giftPico, credits: creditsOf('gift') },
        promotion: { balancePico: balance.promotionPico, credits: creditsOf('promo') },
        autoTopUp: autoTopUp ?? null,
      };
    },
  };
}

function toCreditLot(row: CreditRow): CreditLot {
  return {
    amountPico: BigInt(row.amount),
    remainingPico: BigInt(row.remaining),
    expiresAtMs: row.expires_at_ms === null ? null : Number(row.expires_at_ms),
  };
}
