import { startListening } from '../measure/start-child';
import { startGateway } from '../measure/start-gateway';
import { readStartFlags, type Checkout } from './checkout';
import { createLimitedKey } from './limited-key';
import type { TargetName } from './samples';

/** What is asked, and the processes whose CPU counts. */
export type Target = {
  readonly name: TargetName;
  readonly port: number;
  readonly key: string;
  /** With all that they started. */
  readonly roots: readonly number[];
  stop(): Promise<void>;
};

export async function startRelay(providerUrl: string, env: GatewaySettings['env'] = {}): Promise<Target> {
  const { port, pid, stop } = await startListening('plain-proxy', [providerUrl], env);
  return { name: 'relay', port, key: 'bench', roots: [pid], stop };
}

export type GatewaySettings = { readonly providerUrl: string; readonly env: Readonly<Record<string, string>> };

/** The standalone gateway of a checkout as its own `npm start` runs it, asked with a key that four limits bind. */
export async function startStandaloneTarget(checkout: Checkout, { providerUrl, env }: GatewaySettings): Promise<Target> {
  const flags = readStartFlags(checkout);
  const gateway = await startGateway(providerUrl, {
    gatewayEnv: env,
    checkout: { folder: checkout.folder, flags },
  }).catch((error: unknown) => {
    throw new Error(`${checkout.name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  });
  try {
    const key = await createLimitedKey({
      folder: checkout.folder,
      url: `http://127.0.0.1:${gateway.port}`,
      administratorKey: gateway.key,
      operatorEnv: { DATA_DIR: gateway.dataFolder },
    });
    return { name: checkout.name, port: gateway.port, key, roots: [gateway.pid], stop: gateway.stop };
  } catch (error) {
    await gateway.stop();
    throw error;
  }
}

/** Starts all at once; when one cannot be started, the others are stopped. */
export async function startAll(starts: readonly Promise<Target>[]): Promise<Target[]> {
  const settled = await Promise.allSettled(starts);
  const started = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const failed = settled.find((each) => each.status === 'rejected');
  if (failed === undefined) return started;
  await stopAll(started);
  throw failed.reason;
}

export async function stopAll(targets: readonly Target[]): Promise<void> {
  await Promise.all(targets.map((target) => target.stop()));
}
