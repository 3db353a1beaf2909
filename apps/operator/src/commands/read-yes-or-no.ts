import { UsageError, type Given } from './command';

/** An option that is yes or no; no by default. Throws `UsageError` for anything else. */
export function readYesOrNo({ options }: Given, name: string): boolean {
  const value = options[name] ?? 'no';
  if (value !== 'yes' && value !== 'no') throw new UsageError(`--${name} is yes or no, not "${value}".`);
  return value === 'yes';
}
