import type { Modality } from '@weir/contracts';
import { GatewayError } from '@weir/errors';
import type { ModelCatalog, ModelRecord } from '@weir/model-catalog';

type BareNameAsk = {
  readonly catalog: Pick<ModelCatalog, 'findBare'>;
  readonly modality: Modality;
  readonly isRoutable: (providerId: string, modality: Modality) => boolean;
  /** Whether the caller may use a model. */
  readonly isAllowed: (record: ModelRecord) => boolean;
  /** The request came by the responses interface, which some providers serve by an interface of its own. */
  readonly prefersResponses: boolean;
};

const RESPONSES_SUFFIX = '-responses';
const CHOICES_SHOWN_MAX = 10;

/**
 * The model that a vendor's own name for it stands for: at the vendor's own provider where that is set up and the caller may
 * use it, else at the only provider that serves it to them. Undefined for a name that no model has. Throws `invalid_request` with the choices where several
 * providers serve it. A model that is not set up anywhere is given all the same, so that its refusal says what is missing.
 */
export function resolveBareName(name: string, ask: BareNameAsk): ModelRecord | undefined {
  const { exact, related } = ask.catalog.findBare(name);
  return choose(name, exact, ask) ?? choose(name, related, ask) ?? findUnreachable(exact, ask) ?? findUnreachable(related, ask);
}

function choose(name: string, matches: readonly ModelRecord[], ask: BareNameAsk): ModelRecord | undefined {
  const { modality, isRoutable, isAllowed } = ask;
  const reached = matches.filter((record) => record.modality === modality && isRoutable(record.provider, modality));
  const places = findPlaces(reached, ask);
  const plainest = findPlainest(places);
  if (places.length === 0 || (plainest !== undefined && isAllowed(plainest))) return plainest;
  const allowed = reached.filter(isAllowed);
  // The refusal of the plainest one says what is not allowed.
  if (plainest !== undefined && allowed.length === 0) return plainest;
  const choices = plainest === undefined ? places.filter(isAllowed) : findPlaces(allowed, ask);
  const chosen = choices.length === 1 ? choices[0] : findPlainest(choices);
  if (chosen !== undefined) return chosen;
  throw refuseAmbiguous(name, choices.length > 0 ? choices : places);
}

/** Where the name is looked for: at the vendor's own provider, else anywhere. */
function findPlaces(reached: readonly ModelRecord[], { prefersResponses }: BareNameAsk): readonly ModelRecord[] {
  const own = reached.filter(isOfVendor);
  return preferBase(own.length > 0 ? preferInterface(own, prefersResponses) : reached);
}

/** The one of a provider that the names of all others only add to. */
function findPlainest(places: readonly ModelRecord[]): ModelRecord | undefined {
  return places.find(({ id, provider }) => places.every((other) => other.provider === provider && other.id.startsWith(id)));
}

/** A model that nothing here reaches, or one of another modality; the vendor's own first. */
function findUnreachable(matches: readonly ModelRecord[], { modality, prefersResponses }: BareNameAsk): ModelRecord | undefined {
  const ofModality = matches.filter((record) => record.modality === modality);
  const known = ofModality.length > 0 ? ofModality : matches;
  return preferInterface(known.filter(isOfVendor), prefersResponses)[0] ?? known[0];
}

function isOfVendor({ id, provider, vendor }: ModelRecord): boolean {
  return id.startsWith(`${provider}/`) && (provider === vendor || provider === `${vendor}${RESPONSES_SUFFIX}`);
}

/** A vendor may serve one model by two interfaces, as two providers: the caller's own comes first. */
function preferInterface(own: readonly ModelRecord[], prefersResponses: boolean): readonly ModelRecord[] {
  const preferred = own.filter(({ provider }) => provider.endsWith(RESPONSES_SUFFIX) === prefersResponses);
  return preferred.length > 0 ? preferred : own;
}

/** Of the regions and interfaces of one host, the one that the host is named after. */
function preferBase(records: readonly ModelRecord[]): readonly ModelRecord[] {
  const isBase = ({ id, provider }: ModelRecord): boolean => id.startsWith(`${provider}/`);
  const withBase = new Set(records.filter(isBase).map(({ provider }) => provider));
  const isOfBase = ({ id, provider }: ModelRecord): boolean => withBase.has(provider) || withBase.has(id.slice(0, id.indexOf('/')));
  return records.filter((record) => isBase(record) || !isOfBase(record));
}

function refuseAmbiguous(name: string, choices: readonly ModelRecord[]): GatewayError {
  const shown = choices.slice(0, CHOICES_SHOWN_MAX).map(({ id }) => `"${id}"`);
  const message = `The model name "${name}" is ambiguous here. Send one of these ids instead: ${shown.join(', ')}.`;
  return new GatewayError('invalid_request', message, { field: 'model' });
}
