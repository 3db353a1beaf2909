import { UsageError, type Given } from './command';

/** An option that is yes or no; no unless told. Throws `UsageError` for anything else. */
export function readYesOrNo({ options }: Given, name: string): boolean {
  const reported = options[name] ?? 'no';
  if (reported !== 'yes' && reported !== 'no') throw new UsageError(`--${name} is yes or no, not "${reported}".`);
  return reported === 'yes';
}
