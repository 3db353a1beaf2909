import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

type ContainerRecipe = {
  readonly image: string;
  readonly containerPort: number;
  /** For a broker that has to announce its address: the port on this machine, chosen before. */
  readonly hostPort?: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  /** A line of the container's log that says it is ready. */
  readonly readyLine: RegExp;
  /** How often the line comes before it is true. */
  readonly readyLineCount?: number;
};

type RunningContainer = { readonly host: string; readonly port: number; stop(): Promise<void> };

const START_TIMEOUT_MS = 120_000;

/** Whether asking for a container runtime is worth loading its client (half a second) for. */
export function mayHaveContainers(): boolean {
  if (process.env['DOCKER_HOST'] !== undefined || process.env['TESTCONTAINERS_HOST_OVERRIDE'] !== undefined) return true;
  if (process.platform === 'win32') return true;
  const home = homedir();
  const sockets = [
    '/var/run/docker.sock',
    join(home, '.docker/run/docker.sock'),
    join(home, '.docker/desktop/docker.sock'),
    join(home, '.colima/default/docker.sock'),
  ];
  const runtimeFolder = process.env['XDG_RUNTIME_DIR'];
  if (runtimeFolder !== undefined) sockets.push(join(runtimeFolder, 'docker.sock'), join(runtimeFolder, 'podman/podman.sock'));
  return sockets.some((path) => existsSync(path)) || existsSync(join(home, '.testcontainers.properties'));
}

/** Starts a container; returns undefined when there is no runtime, or when it cannot have the image. */
export async function startContainer(recipe: ContainerRecipe): Promise<RunningContainer | undefined> {
  if (!mayHaveContainers()) return undefined;
  try {
    const { GenericContainer, Wait, getContainerRuntimeClient } = await import('testcontainers');
    await getContainerRuntimeClient();
    const { containerPort, hostPort } = recipe;
    const container = await new GenericContainer(recipe.image)
      .withExposedPorts(hostPort === undefined ? containerPort : { container: containerPort, host: hostPort })
      .withEnvironment(recipe.environment ?? {})
      .withCommand([...(recipe.command ?? [])])
      .withWaitStrategy(Wait.forLogMessage(recipe.readyLine, recipe.readyLineCount ?? 1))
      .withStartupTimeout(START_TIMEOUT_MS)
      .start();
    return {
      host: container.getHost(),
      port: container.getMappedPort(containerPort),
      stop: async () => {
        await container.stop();
      },
    };
  } catch (error) {
    process.stderr.write(`no container of ${recipe.image}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}\n`);
    return undefined;
  }
}
