import { GatewayError } from '@weir/errors';
import type { OrganizationSettings } from './ports/principal';

/** A part of the world that data may have to stay in. */
export type DataArea = 'eu' | 'us' | 'ap';

/** Where one request's content may go and what may be done with it. */
export type DataRules = {
  /** Null: anywhere. */
  readonly residency: DataArea | null;
  /** No one keeps anything of the content: neither the gateway nor a provider. */
  readonly isZeroRetention: boolean;
  readonly isTrainingAllowed: boolean;
};

/** What a catalogue record promises about prompts. Null: its provider says nothing, which is not a no. */
export type ModelDataFacts = {
  readonly id: string;
  /** `EU`, `US`, `AP`, a country of one of them, or another part of the world. */
  readonly geolocation: string | null;
  readonly dataPolicy: { readonly retention: boolean | null; readonly training: boolean | null };
};

/** Where this gateway runs, and how it is reached in other parts of the world. */
export type DeploymentPlace = {
  /** Null: no one said. */
  readonly region: DataArea | null;
  readonly addresses: Readonly<Partial<Record<DataArea, string>>>;
};

export const DATA_AREAS: readonly DataArea[] = ['eu', 'us', 'ap'];

/** Areas are those of organizations' settings; records also name countries. */
const AREA_OF: Readonly<Record<string, DataArea>> = { EU: 'eu', US: 'us', AP: 'ap', AU: 'ap', JP: 'ap', SG: 'ap', IN: 'ap', KR: 'ap' };

/** What an organization has decided, made stricter by what the request asks for. Throws when both cannot hold at once. */
export function planDataRules(organization: OrganizationSettings, asked: Partial<DataRules>): DataRules {
  const residency = organization.dataResidency ?? asked.residency ?? null;
  if (asked.residency !== undefined && asked.residency !== null && asked.residency !== residency) {
    throw new GatewayError(
      'data_policy',
      `This organization's data has to stay in ${nameArea(residency)}; a request cannot ask for ${nameArea(asked.residency)} instead.`,
    );
  }
  return {
    residency,
    isZeroRetention: organization.isZeroDataRetention || asked.isZeroRetention === true,
    isTrainingAllowed: organization.isTrainingAllowed && asked.isTrainingAllowed !== false,
  };
}

/** Throws when this gateway stands outside the area that the content has to stay in; names the address inside it. */
export function checkDeployment({ residency }: DataRules, { region, addresses }: DeploymentPlace): void {
  if (residency === null || residency === region) return;
  const area = nameArea(residency);
  const here = region === null ? `this gateway does not promise to run there` : `this gateway runs in ${nameArea(region)}`;
  const address = addresses[residency];
  const instead =
    address === undefined ? `Ask an administrator for the address of a gateway in ${area}.` : `Send the request to ${address}.`;
  throw new GatewayError('data_policy', `The data of this request has to stay in ${area}, and ${here}. ${instead}`);
}

/** Why a model may not have the content; undefined when it may. */
export function findDataProblem(rules: DataRules, { id, geolocation, dataPolicy }: ModelDataFacts): GatewayError | undefined {
  const { residency, isZeroRetention, isTrainingAllowed } = rules;
  if (residency !== null && areaOf(geolocation) !== residency) {
    const where = geolocation === null ? 'whose provider does not promise where prompts are processed' : `whose host is in ${geolocation}`;
    return refuse(`The data of this request has to stay in ${nameArea(residency)}, but it asks for "${id}", ${where}.`);
  }
  if (isZeroRetention && dataPolicy.retention !== false) {
    return refuse(`This request is under zero data retention, but the provider of "${id}" does not promise to keep nothing.`);
  }
  // Who keeps nothing has nothing to train on: under zero retention alone, silence about training is no obstacle.
  const isRefused = isTrainingAllowed ? isZeroRetention && dataPolicy.training === true : dataPolicy.training !== false;
  if (isRefused) {
    return refuse(`The data of this request may not be used for training, but the provider of "${id}" does not promise that.`);
  }
  return undefined;
}

/** The area that a record's host is in; null when its provider does not promise one of ours. */
export function areaOf(geolocation: string | null): DataArea | null {
  return geolocation === null ? null : (AREA_OF[geolocation.toUpperCase()] ?? null);
}

function nameArea(area: DataArea | null): string {
  return area === null ? 'no particular area' : `the ${area.toUpperCase()}`;
}

function refuse(message: string): GatewayError {
  return new GatewayError('data_policy', message);
}
