import { createLink, type Link } from '@weir/process-links';
import type { Logger } from '@weir/telemetry';
import { fork, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { LINK_FD } from './parent-link';

type KeptProcessOptions<Ready> = {
  readonly name: string;
  readonly script: string;
  /** Of the lock on the data directory: it is kept as long as any of the processes lives. */
  readonly lockFd: number;
  /** Asked for by each process as it starts. */
  readonly brief: (isFirst: boolean) => object;
  /** Adds what the process is served. */
  readonly onLink: (link: Link) => void;
  readonly onReady: (ready: Ready, kept: KeptProcess<Ready>) => void;
  readonly onGone: (kept: KeptProcess<Ready>) => void;
  readonly log: Logger;
};

/** One that lived so long died of something new: the next is started at once. */
const SETTLED_MS = 10_000;
const PAUSE_FIRST_MS = 100;
const PAUSE_MAX_MS = 10_000;

/** A process in its place: started, and replaced when it ends without being asked to. */
export class KeptProcess<Ready> {
  /** What it said when it was ready; undefined while it is not, or is on its way out. */
  ready: Ready | undefined;
  runningRequests = 0;
  link: Link | undefined;
  private child: ChildProcess | undefined;
  private startedAt = 0;
  private starts = 0;
  private deaths = 0;
  /** How long what runs may go on; undefined while no one has asked for the end. */
  private stopsWithin: number | undefined;
  private wasReady = false;
  private timer: NodeJS.Timeout | undefined;
  private lastSocket = 0;
  /** Connections on their way to the process: one that dies before it has them has not read from them either. */
  private readonly handed = new Map<number, Socket>();

  constructor(private readonly options: KeptProcessOptions<Ready>) {}

  get name(): string {
    return this.options.name;
  }

  /** Resolves when the first one is ready; rejects when it ends before that, with what it said it failed of. */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.launch(resolve, (reason) => reject(new Error(reason)));
    });
  }

  /** Gives it a connection. */
  serve(socket: Socket): void {
    const id = (this.lastSocket += 1);
    this.handed.set(id, socket);
    this.child?.send({ socket: id }, socket, { keepOpen: true }, () => undefined); // what cannot be sent comes back when it ends
  }

  /** Connections that it was given and never took. */
  takeBack(): Socket[] {
    const sockets = [...this.handed.values()];
    this.handed.clear();
    return sockets;
  }

  /** Lets it finish what runs; another one takes its place. */
  replace(drainTimeoutMs: number): void {
    this.ready = undefined;
    this.link?.notify('stop', drainTimeoutMs);
  }

  /**
   * Ends it for good: what runs may finish for so long. One that is still starting does so first; asked again with 0, nothing
   * is waited for any more.
   */
  stop(drainTimeoutMs: number): Promise<void> {
    const isAskedAgain = this.stopsWithin !== undefined;
    this.stopsWithin = drainTimeoutMs;
    clearTimeout(this.timer);
    const { child } = this;
    if (child === undefined) return Promise.resolve();
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    if (this.ready !== undefined) this.link?.notify('stop', drainTimeoutMs);
    else if (isAskedAgain && drainTimeoutMs === 0) child.kill('SIGKILL');
    return ended;
  }

  private launch(onReady: () => void = () => undefined, onFailure?: (reason: string) => void): void {
    const { name, script, lockFd, brief } = this.options;
    let reason: string | undefined;
    this.startedAt = performance.now();
    const isFirst = (this.starts += 1) === 1;
    const child = fork(script, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe', lockFd] });
    const link = createLink(child.stdio[LINK_FD] as Duplex);
    [this.child, this.link] = [child, link];
    this.options.onLink(link);
    link.serve({
      brief: () => brief(isFirst),
      failed: (said: string) => void (reason = said),
      ready: (ready: Ready) => {
        this.ready = ready;
        this.wasReady = true;
        if (this.stopsWithin !== undefined) return link.notify('stop', this.stopsWithin);
        this.options.onReady(ready, this);
        onReady();
      },
      running: (count: number) => void (this.runningRequests = count),
    });
    child.on('message', ({ took }: { took: number }) => {
      // Both have it open: what is closed here is only this end.
      this.handed.get(took)?.destroy();
      this.handed.delete(took);
    });
    const end = (how: string): void => {
      if (this.child !== child) return;
      link.close();
      this.child = undefined;
      this.ready = undefined;
      this.runningRequests = 0;
      this.options.onGone(this);
      if (this.stopsWithin !== undefined) return;
      if (!this.wasReady && onFailure !== undefined) return onFailure(reason ?? `${name} ended as it started (${how})`);
      this.startAgain(how, reason);
    };
    child.once('error', (error) => end(error.message)); // it could not even be started
    child.once('exit', (code, signal) => end(signal ?? `code ${code}`));
  }

  private startAgain(how: string, reason: string | undefined): void {
    const { log, name } = this.options;
    this.deaths = performance.now() - this.startedAt > SETTLED_MS ? 0 : this.deaths + 1;
    const pauseMs = this.deaths <= 1 ? 0 : Math.min(PAUSE_MAX_MS, PAUSE_FIRST_MS * 2 ** (this.deaths - 2));
    log.error({ process: name, how, reason, pauseMs }, 'a process of the gateway ended; another one takes its place');
    this.timer = setTimeout(() => this.launch(), pauseMs);
  }
}
