import {
  areaOf,
  checkDeployment,
  findDataProblem,
  planDataRules,
  type DataRules,
  type DeploymentPlace,
  type OrganizationSettings,
} from '@weir/access';
import { GatewayError } from '@weir/errors';
import type { ModelCatalog, ModelRecord } from '@weir/model-catalog';
import type { AccountMap } from '@weir/routing';
import type { IncomingHttpHeaders } from 'node:http';
import { NO_DATA_REQUEST, readDataRequest } from './read-data-request';

type DataGuardParts = {
  readonly catalog: ModelCatalog;
  readonly place: DeploymentPlace;
  readonly accounts?: Pick<AccountMap, 'of'> | undefined;
};

export type DataGuard = {
  /**
   * What holds for the content of one request: the same object for all of an organization that ask for nothing of their own. Throws `data_policy` when this gateway stands outside the area that it has
   * to stay in, and `invalid_request` for words that are none.
   */
  decide(organization: OrganizationSettings, headers: IncomingHttpHeaders, body: Record<string, unknown>): DataRules;
  /** Whether these are the rules of requests that ask for none of their own. */
  isUsual(organization: OrganizationSettings, rules: DataRules): boolean;
  /** Returns why a model may not have the content; undefined when it may. The refusal names models that may and that the caller `canUse`. */
  createCheck(rules: DataRules, canUse: (record: ModelRecord) => boolean): (record: ModelRecord) => GatewayError | undefined;
  /** Whether a request without rules of its own could use the model here. */
  isAllowed(organization: OrganizationSettings, record: ModelRecord): boolean;
};

const NAMED_MAX = 3;

export function createDataGuard({ catalog, place, accounts }: DataGuardParts): DataGuard {
  const findProblem = (rules: DataRules, record: ModelRecord): GatewayError | undefined =>
    findDataProblem(rules, placeByAccount(rules, record, accounts));

  const adviseOn = (rules: DataRules, refused: ModelRecord, canUse: (record: ModelRecord) => boolean): string => {
    const others = catalog
      .list(refused.modality)
      .filter((record) => record.canonicalName === refused.canonicalName && findProblem(rules, record) === undefined && canUse(record))
      .slice(0, NAMED_MAX);
    if (others.length === 0) return ' Use another model, or ask an administrator which ones this rule allows.';
    return ` The same model is allowed as ${others.map((record) => nameRecord(record, catalog)).join(', ')}.`;
  };

  /** The rules of requests that ask for none of their own. */
  const usual = new WeakMap<OrganizationSettings, DataRules>();
  const decideUsual = (organization: OrganizationSettings): DataRules => {
    let rules = usual.get(organization);
    if (rules === undefined) {
      rules = planDataRules(organization, NO_DATA_REQUEST);
      checkDeployment(rules, place);
      usual.set(organization, rules);
    }
    return rules;
  };

  return {
    decide: (organization, headers, body) => {
      const asked = readDataRequest(headers, body);
      if (asked === NO_DATA_REQUEST) return decideUsual(organization);
      const rules = planDataRules(organization, asked);
      checkDeployment(rules, place);
      return rules;
    },
    isUsual: (organization, rules) => usual.get(organization) === rules,
    createCheck: (rules, canUse) => (record) => {
      const problem = findProblem(rules, record);
      return problem && new GatewayError('data_policy', problem.message + adviseOn(rules, record, canUse), { field: 'model' });
    },
    isAllowed: (organization, record) => {
      const rules = planDataRules(organization, {});
      const isHere = rules.residency === null || rules.residency === place.region;
      return isHere && findProblem(rules, record) === undefined;
    },
  };
}

/** Where a provider promises nothing of a model, the operator may have an account there that stays in the area. */
function placeByAccount({ residency }: DataRules, record: ModelRecord, accounts: Pick<AccountMap, 'of'> | undefined): ModelRecord {
  if (residency === null || record.geolocation !== null || accounts === undefined) return record;
  const isThere = accounts.of(record.provider).some((account) => account.region === residency && account.serves(record.id));
  return isThere ? { ...record, geolocation: residency.toUpperCase() } : record;
}

/**
 * Whether the content of a request may go to a model by an account of this region. Without a region it stays where the model's
 * host is; and an account of one area never serves a model that is promised in another.
 */
export function mayUseAccount(
  { residency }: Pick<DataRules, 'residency'>,
  { geolocation }: Pick<ModelRecord, 'geolocation'>,
  region: string | null,
): boolean {
  const area = areaOf(geolocation);
  if (residency === null) return region === null || area === null || area === region;
  return region === null ? area === residency : region === residency && (area === null || area === residency);
}

/** By the name with a region, where the record has one: `<host>/<name>@eu`. */
function nameRecord(record: ModelRecord, catalog: ModelCatalog): string {
  const area = areaOf(record.geolocation);
  const [host = '', ...rest] = record.id.split('/');
  if (area === null || !host.endsWith(`-${area}`)) return `"${record.id}"`;
  const regional = `${host.slice(0, -area.length - 1)}/${rest.join('/')}@${area}`;
  return catalog.find(regional) === record ? `"${regional}"` : `"${record.id}"`;
}
