import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { nextMessage, startLoadGenerator, stopChild } from '../measure/start-child';
import type { LoadJob, LoadResult } from '../processes/load-job';
import type { ReplyPlan } from './processes/reply-plan';

/** What every measurement needs beside its targets: one provider and one generator for all of them. */
export type Tools = {
  readonly providerUrl: string;
  /** How the provider replies from now on. */
  plan(plan: ReplyPlan): Promise<void>;
  generate(job: LoadJob): Promise<LoadResult>;
  stop(): Promise<void>;
};

export async function startTools(): Promise<Tools> {
  const provider = fork(join(__dirname, 'processes', 'provider.js'));
  const { port } = await nextMessage<{ port: number }>(provider, 'provider');
  const generator = startLoadGenerator();
  return {
    providerUrl: `http://127.0.0.1:${port}`,
    plan: async (plan) => void (await askChild<string>(provider, 'provider', plan)),
    generate: (job) => askChild<LoadResult>(generator, 'load generator', job),
    stop: async () => void (await Promise.all([stopChild(generator), stopChild(provider)])),
  };
}

/** Sends a process one message and waits for the one that it sends back. */
export function askChild<Reply>(child: ChildProcess, name: string, message: object): Promise<Reply> {
  const reply = nextMessage<Reply>(child, name);
  child.send(message);
  return reply;
}
