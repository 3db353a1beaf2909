import { isKeyRefused, type Provider, type ProviderDirectory } from '@weir/providers';
import type { Logger } from '@weir/telemetry';
import { listKeysInUse } from './describe-providers';

/** Asked at a time. */
const TOGETHER = 4;

type KeyCheck = {
  readonly providers: Pick<ProviderDirectory, 'find' | 'isConfigured' | 'known'>;
  readonly env: (name: string) => string | undefined;
  readonly log: Pick<Logger, 'warn'>;
  readonly isRefused?: (provider: Provider) => Promise<boolean>;
};

/** Asks every provider once whether it takes its key, and reports those that do not. Never rejects, and holds up nothing. */
export async function checkProviderKeys({ providers, env, log, isRefused = isKeyRefused }: KeyCheck): Promise<void> {
  const waiting = [...listKeysInUse(providers, env)];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [setting, id] = next;
      const provider = providers.find(id);
      if (provider === undefined || !(await isRefused(provider))) continue;
      log.warn({ provider: id, setting }, `the provider ${id} refuses its key: correct ${setting} and start again`);
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, work));
}
