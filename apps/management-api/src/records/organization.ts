import { MODALITIES, type Modality, type OrganizationSettingsBody } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import type { Organization } from './prisma-rows';

type SettingName =
  | 'limits_unavailable'
  | 'clamp_to_limit'
  | 'charge_failed_attempts'
  | 'data_used_for_training'
  | 'strict_access'
  | 'keep_contents_days'
  | 'time_zone';
type Settings = Required<Pick<OrganizationSettingsBody, SettingName>>;

const UTC = 'UTC';

/** What holds for an organization that has said nothing. */
const DEFAULT_SETTINGS: Settings = {
  limits_unavailable: 'lease',
  clamp_to_limit: false,
  charge_failed_attempts: false,
  data_used_for_training: true,
  strict_access: false,
  keep_contents_days: null,
  time_zone: UTC,
};

/** The members of `PATCH /v1/manage/org` that live in the settings document. */
export function pickSettings(body: OrganizationSettingsBody): Partial<Settings> {
  const names = Object.keys(DEFAULT_SETTINGS) as (keyof Settings)[];
  return Object.fromEntries(names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]));
}

/** Whose days, weeks and months the organization's limits follow. */
export function timeZoneOf({ settings }: Pick<Organization, 'settings'>): string {
  return (settings as Partial<Settings>).time_zone ?? UTC;
}

export function describeOrganization(organization: Organization): Prisma.InputJsonObject {
  // Lists that were written before there was a bound are shown as they are.
  const stored = organization.approvedModels as Readonly<Partial<Record<Modality, string[]>>> | null;
  const approved = stored === null ? null : Object.fromEntries(MODALITIES.map((modality) => [modality, stored[modality] ?? []]));
  return {
    id: organization.id,
    name: organization.name,
    budget_mode: organization.budgetMode,
    data_residency: organization.dataResidency,
    zero_data_retention: organization.isZeroDataRetention,
    approved_models: approved,
    tier: organization.tier,
    share: 1,
    ...DEFAULT_SETTINGS,
    ...(organization.settings as Partial<Settings>),
    time_zone: timeZoneOf(organization),
  };
}
