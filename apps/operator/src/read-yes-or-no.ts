import { UsageError, type Given } from './command';

/** An option that is yes or no; no unless told. Throws `UsageError` for anything else. */
export function readYesOrNo({ options }: Given, name: string): boolean {
  const told = options[name] ?? 'no';
  if (told !== 'yes' && told !== 'no') throw new UsageError(`--${name} is yes or no, not "${told}".`);
  return told === 'yes';
}
