import { GatewayError } from '@weir/errors';

type Voices = {
  /** Names in small letters → what the provider calls them. */
  readonly known: Readonly<Record<string, string>>;
  /** What the provider's own identifiers look like, where voices beside the known ones exist. */
  readonly raw?: RegExp;
};

/** A caller's voice as the provider calls it. One that the provider does not have is refused, never replaced. */
export function findVoice(voice: string, { known, raw }: Voices): string {
  const name = voice.trim();
  const found = Object.hasOwn(known, name.toLowerCase()) ? known[name.toLowerCase()] : undefined;
  if (found !== undefined) return found;
  if (raw?.test(name) === true) return name;
  const own = Object.keys(known);
  const others = raw === undefined ? [] : [own.length === 0 ? 'voices by their identifiers' : 'any other of its voices by its identifier'];
  throw new GatewayError('unsupported_field', `The chosen model's provider has no such voice; it has ${[...own, ...others].join(', ')}.`, {
    field: 'voice',
  });
}
