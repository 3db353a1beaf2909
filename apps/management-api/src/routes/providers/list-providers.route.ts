import type { ModelCatalog } from '@weir/model-catalog';
import { parseBody } from '../../bodies/parse-body';
import { describeProvider } from '../../providers/describe-provider';
import { listReports, mergeReports, readReports } from '../../providers/merge-reports';
import { defineRoute, noBody, ok } from '../../route/route';

/** Which providers there are, and how they do as the processes see it that call them. */
export const listProviders = defineRoute({
  id: 'list-providers',
  body: noBody,
  run: async ({ organizationId, query }, parts) => {
    parseBody(noBody, query);
    const credentials = await parts.database
      .asOrganization(organizationId)
      .transact((tx) => tx.providerCredential.findMany({ where: { organizationId }, select: { id: true, provider: true } }));
    const texts = await listReports(parts);
    const reports = readReports(texts ?? []);
    const own = new Set(credentials.map(({ id }) => id));
    // What becomes of another organization's account is not for this one to know.
    const merged = mergeReports(reports, (account) => account === null || own.has(account));
    const served = countModels(parts.catalog);
    const ids = new Set([...served.keys(), ...merged.keys(), ...credentials.map(({ provider }) => provider)]);
    const providers = [...ids].sort().map((id) => {
      const { models = 0, regions = new Set<string>() } = served.get(id) ?? {};
      const ownKeys = credentials.filter(({ provider }) => provider === id).length;
      return describeProvider({ id, ownKeys, models, regions: [...regions].sort() }, merged.get(id));
    });
    return ok({ providers, processes: texts === undefined ? null : reports.length, as_of: new Date(parts.now()).toISOString() });
  },
});

function countModels(catalog: ModelCatalog): Map<string, { models: number; regions: Set<string> }> {
  const served = new Map<string, { models: number; regions: Set<string> }>();
  for (const { provider, region } of catalog.list()) {
    const counted = served.get(provider) ?? { models: 0, regions: new Set<string>() };
    counted.models += 1;
    if (region !== undefined && region !== null) counted.regions.add(region);
    served.set(provider, counted);
  }
  return served;
}
