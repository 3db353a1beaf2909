import type { FirstKey } from './ensure-first-key';

type Started = {
  readonly address: string;
  readonly metrics: string;
  readonly providers: readonly string[];
  /** A path that signs an administrator in to the console, once; undefined where there is no console. */
  readonly consoleLink: string | undefined;
};

/** What someone who has just started the gateway wants to know. Goes to the terminal, never to the log. */
export function describeStart({ address, metrics, providers, consoleLink }: Started, key: FirstKey): string {
  const shown = key?.isMade === true ? key.value : '$WEIR_API_KEY';
  return [
    '',
    `Weir is ready at ${address}`,
    ...describeConsole(address, consoleLink),
    ...providers,
    '',
    'Try it, no provider account needed:',
    '',
    `  curl ${address}/v1/chat/completions -H "Authorization: Bearer ${shown}" -H "Content-Type: application/json" -d '{"model":"sandbox/chat","messages":[{"role":"user","content":"Hello, Weir!"}]}'`,
    '',
    'Usage appears a moment later:',
    '',
    `  curl "${address}/v1/manage/org/usage?start=$(date -u +%Y-%m-%dT00:00:00Z)" -H "Authorization: Bearer ${shown}"`,
    '',
    `Metrics for Prometheus at ${metrics}/metrics`,
    '',
    'Stop with Ctrl-C.',
    '',
    '',
  ].join('\n');
}

function describeConsole(address: string, link: string | undefined): string[] {
  if (link === undefined) return [];
  return [`Console at ${address}/console/; signed in as an administrator by this link, once and within 15 minutes:`, `  ${address}${link}`];
}

/** The administrator key, or where it is. Printed as soon as it is made: no one can show it later. */
export function describeKey(key: FirstKey): string {
  if (key === null) return 'The administrator key was printed at the first start. Lost it? `npx weir key recover` makes a new one.';
  return key.isMade ? `Administrator key (shown only now): ${key.value}` : 'The administrator key is the one in BOOTSTRAP_API_KEY.';
}
