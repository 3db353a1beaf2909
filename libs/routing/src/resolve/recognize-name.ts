import type { Modality } from '@weir/contracts';
import { VENDOR_CUSTOMS, type NameSuffix } from '@weir/model-catalog';
import type { PlanAsk, RoutingMap } from './routing-map';
import { POLICY_PREFIX } from './expand-policy';
import { NO_ROUTES } from './organization-routes';
import { resolveBareName } from './resolve-bare-name';

type RecognizedName = {
  readonly kind: 'model' | 'alias' | 'policy';
  /** The model or policy that is meant. */
  readonly target: string;
  /** What was asked for, by its full id; aliases and policies by their own names. */
  readonly requested: string;
  /** The preview feature that a suffix of the name asked for. */
  readonly beta: string | null;
};

type NameAsk = { readonly map: RoutingMap; readonly ask: PlanAsk; readonly modality: Modality };

/**
 * What the model of a request stands for. An organization's alias comes first, then policies, ids of the catalogue, and the
 * names that vendors give their models. Undefined for a name that stands for nothing.
 */
export function recognizeName(name: string, asked: NameAsk): RecognizedName | undefined {
  const found = recognizePlain(name, asked);
  if (found !== undefined) return found;
  const suffix = VENDOR_CUSTOMS.nameSuffixes.find((each) => name.toLowerCase().endsWith(each.suffix));
  return suffix && recognizeWithSuffix(name.slice(0, -suffix.suffix.length), suffix, asked);
}

function recognizeWithSuffix(name: string, { vendor, beta }: NameSuffix, asked: NameAsk): RecognizedName | undefined {
  const plain = recognizePlain(name, asked);
  if (plain === undefined) return undefined;
  // A policy is of no vendor: those of its members that know the feature take it, the others have no use for it.
  const isServed = plain.target.startsWith(POLICY_PREFIX) || asked.map.catalog.find(plain.target)?.vendor === vendor;
  return isServed ? { ...plain, beta } : undefined;
}

function recognizePlain(name: string, { map, ask, modality }: NameAsk): RecognizedName | undefined {
  const { aliases, policies } = ask.routes ?? NO_ROUTES;
  const alias = aliases.get(name);
  if (alias !== undefined) return { kind: 'alias', target: alias, requested: name, beta: null };
  if (name.startsWith(POLICY_PREFIX)) {
    const policy = name.slice(POLICY_PREFIX.length);
    const isThere = policies.has(policy) || map.managed?.has(policy) === true;
    return isThere ? { kind: 'policy', target: name, requested: name, beta: null } : undefined;
  }
  if (map.catalog.find(name) !== undefined) return { kind: 'model', target: name, requested: name, beta: null };
  const record = resolveBareName(name, {
    catalog: map.catalog,
    modality,
    isRoutable: map.isRoutable,
    isAllowed: (one) => ask.checkRecord?.(one, []) === undefined,
    prefersResponses: ask.prefersResponses === true,
  });
  return record && { kind: 'model', target: record.id, requested: record.id, beta: null };
}
