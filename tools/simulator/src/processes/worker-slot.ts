import type { Passport } from '@weir/contracts';
import { SimDisk } from '../disk/sim-disk';
import type { Script } from '../load/script';
import { LineError } from '../physics/line';
import type { SimProcess } from '../physics/sim-process';
import type { Ending, Machine, World } from '../world/world';
import { startWorker, type WorkerLife } from './start-worker';

/** Starts the workers of a machine, and lets requests wait for the one that lives. */
export class WorkerSlot implements Machine {
  readonly disk = new SimDisk();
  process: SimProcess | null = null;
  /** How many workers there were. */
  lives = 0;
  private life: WorkerLife | null = null;
  private readonly waiting = new Set<(error: Error) => void>();

  constructor(
    private readonly world: World,
    readonly name: string,
  ) {
    this.disk.makeFolder('/journal');
    this.disk.folder('/').sync();
  }

  get isUp(): boolean {
    return this.life !== null && this.process?.isAlive === true;
  }

  get isAtRest(): boolean {
    return this.life?.isAtRest() === true;
  }

  /** The disk had no space to recover a journal: it waits for the next start. */
  get isWaiting(): boolean {
    return this.disk.listJournals('/journal').length > 1 && this.life?.countOrphans() === 0;
  }

  start(process: SimProcess): void {
    this.process = process;
    this.lives += 1;
    this.life = startWorker(this.world, process, this.disk);
    this.world.oracle.recovered(this.name, this.life.hasUnwritten());
  }

  /** Returns whether ends died with it that were nowhere else. */
  died(): boolean {
    const hadUnwritten = this.life?.hasUnwritten() === true;
    this.life = null;
    for (const reject of this.waiting) reject(new LineError(`${this.name} broke off`));
    this.waiting.clear();
    return hadUnwritten;
  }

  /** At the moment a request arrives; a worker that is frozen looks at it when it goes on. */
  serve(passport: Passport, script: Script, caller: { readonly isGone: () => boolean }): Promise<Ending> {
    const { life, process } = this;
    if (life === null || process === null) return Promise.reject(new LineError('refused', true));
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        this.waiting.delete(fail);
        reject(error);
      };
      this.waiting.add(fail);
      this.world.scheduler.after(0, process, () => {
        life.serve(passport, script, caller).then((ending) => {
          this.waiting.delete(fail);
          resolve(ending);
        }, fail);
      });
    });
  }
}
