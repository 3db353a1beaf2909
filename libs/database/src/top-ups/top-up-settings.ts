import type { TopUpSettings } from '@weir/limits';
import type { Queryable } from '../tenancy/organization-database';

const READ = {
  name: 'weir-read-top-up-settings',
  text: `SELECT enabled, threshold_pico::text AS threshold_pico, amount_pico::text AS amount_pico, monthly_cap_pico::text AS monthly_cap_pico
    FROM auto_top_up WHERE org_id = $1`,
};

type SettingsRow = { enabled: boolean; threshold_pico: string; amount_pico: string; monthly_cap_pico: string };

/** What an organization wants done when its balance runs low; undefined when it never said. */
export async function readTopUpSettings(source: Queryable, organizationId: string): Promise<TopUpSettings | undefined> {
  const { rows } = await source.query<SettingsRow>({ ...READ, values: [organizationId] });
  const [row] = rows;
  return row === undefined
    ? undefined
    : {
        isEnabled: row.enabled,
        thresholdPico: BigInt(row.threshold_pico),
        amountPico: BigInt(row.amount_pico),
        monthlyCapPico: BigInt(row.monthly_cap_pico),
      };
}
