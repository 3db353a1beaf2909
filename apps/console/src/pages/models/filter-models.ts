import type { Schemas } from '../../api';
import { findRows, type Findable } from '../../find-words';
import { compare, readPrice } from '../../format/decimals';
import type { ModelsSearch, Retention, Sort } from './models-search';

/** What units are counted in is an addition of the gateway's own to the record. */
export type Model = Schemas['Model'] & { readonly pricing_units?: Readonly<Record<string, string>> };

export const FEATURES: readonly (readonly [flag: keyof Model & `supports_${string}`, label: string])[] = [
  ['supports_tool_calling', 'Tools'],
  ['supports_vision', 'Vision'],
  ['supports_reasoning', 'Reasoning'],
  ['supports_output_json_schema', 'JSON schema'],
  ['supports_output_json_object', 'JSON'],
  ['supports_caching', 'Prompt caching'],
  ['supports_web_search', 'Web search'],
  ['supports_computer_use', 'Computer use'],
  ['supports_image_generation', 'Images'],
  ['supports_role_developer', 'Developer role'],
];

export function listFeatures(model: Model): string[] {
  return FEATURES.filter(([flag]) => model[flag] === true).map(([, label]) => label);
}

/** Of a model that is reached by a name of the organization's, the provider is the one who gave the name. */
export function findProvider({ id, owned_by: owner }: Pick<Model, 'id' | 'owned_by'>): string {
  const slash = id.indexOf('/');
  return slash <= 0 || id.startsWith('policy/') ? owner : id.slice(0, slash);
}

export function findRetention({ data_retention: isKept }: Pick<Model, 'data_retention'>): Retention {
  if (isKept === undefined) return 'unstated';
  return isKept ? 'kept' : 'none';
}

export function filterModels(models: readonly Model[], search: ModelsSearch): Model[] {
  const fitting = models.filter((model) => fits(model, search));
  return findRows(fitting, search.q, toFindable).sort(ORDERS[search.sort ?? 'name']);
}

function fits(model: Model, { modality, provider, region, retention, feature = [] }: ModelsSearch): boolean {
  return (
    (modality === undefined || model.api === modality) &&
    (provider === undefined || findProvider(model) === provider) &&
    (region === undefined || model.geolocation === region) &&
    (retention === undefined || findRetention(model) === retention) &&
    feature.every((label) => listFeatures(model).includes(label))
  );
}

function toFindable({ id, family, model_lab: lab, model_canonical_name: name, description }: Model): Findable {
  return { texts: [id, family, lab, name, description] };
}

type Order = (one: Model, other: Model) => number;

const byName: Order = (one, other) => (one.id < other.id ? -1 : 1);

/** Cheapest first, widest first; what has no such figure comes last. */
const ORDERS: Readonly<Record<Sort, Order>> = {
  name: byName,
  input: (one, other) => byPrice(one.input_price, other.input_price) || byName(one, other),
  output: (one, other) => byPrice(one.output_price, other.output_price) || byName(one, other),
  context: (one, other) => (other.context_window ?? -1) - (one.context_window ?? -1) || byName(one, other),
};

function byPrice(one: number | undefined, other: number | undefined): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  return compare(readPrice(one), readPrice(other));
}

/** What there is to choose from, in order. */
export function listValues(models: readonly Model[], read: (model: Model) => string | undefined): string[] {
  return [...new Set(models.flatMap((model) => read(model) ?? []))].sort();
}
