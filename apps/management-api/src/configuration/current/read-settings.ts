import { organizationSettings } from '@weir/contracts';
import { describeOrganization } from '../../records/organization';
import type { FoundObject, Reading } from './found-object';

/** Each setting by itself: several configurations may look after some of them each. */
export async function readSettings({ tx, organizationId }: Reading): Promise<FoundObject[]> {
  const settings = describeOrganization(await tx.organization.findUniqueOrThrow({ where: { id: organizationId } }));
  return Object.keys(organizationSettings.shape).map((name) => ({
    kind: 'setting',
    id: name,
    ownName: name,
    fields: { value: settings[name] ?? null },
  }));
}
