import type { CatalogMark, CatalogState } from './catalog-document.schema';
import type { LiveCatalog } from './live-catalog';

/** Where versions of the catalogue are kept. */
export type CatalogSource = {
  /** The newest version before one, for a process that starts and cannot read that one. */
  readBefore?(id: number): Promise<unknown>;
  /** Which version is the newest; undefined: there is none. */
  newest(): Promise<CatalogMark | undefined>;
  /** The newest version as a whole, unchecked; undefined: there is none. */
  read(): Promise<unknown>;
};

/** Where a process that has the source puts the newest version for those that have not. */
export type CatalogBoard = CatalogSource & { publish(state: CatalogState): Promise<void> };

export type CatalogWatchParts = {
  readonly catalog: LiveCatalog;
  readonly source: CatalogSource;
  /** Absent where no process needs it. */
  readonly board?: CatalogBoard | undefined;
  /** Reports at once that there may be news, and waits until it is looked at; absent: it is looked for by the clock alone. */
  readonly notices?: { subscribe(onNotice: () => Promise<void>): Promise<() => Promise<void>> } | undefined;
  /** Called with each version that comes into force. */
  readonly keep?: ((state: CatalogState) => void) | undefined;
  readonly show: (state: 'newest' | 'in_force', id: number) => void;
  readonly log: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
  readonly pollMs?: number;
  /** Rejects where the source cannot be reached at the beginning. */
  readonly mustRead?: boolean;
};

export type CatalogWatch = {
  /** Looks for news now, and resolves when that is done; true where another version came into force. Never rejects. */
  catchUp(): Promise<boolean>;
  stop(): Promise<void>;
};

/** A change is in force everywhere within twice this time and what it takes to read it. */
const POLL_MS = 2_000;
const EARLIER_MAX = 50;

/**
 * Keeps a catalogue up to date, from its first look on, which is over when this resolves. What cannot be reached or read is
 * logged once; what was in force before stays so.
 */
export async function watchCatalog(parts: CatalogWatchParts): Promise<CatalogWatch> {
  const watch = new Watch(parts);
  // Prices must not be those of the release because a database was away for a moment.
  if (parts.mustRead === true) await watch.follow();
  await watch.catchUp();
  const unsubscribe = await parts.notices?.subscribe(async () => {
    await watch.catchUp();
  });
  const timer = setInterval(() => void watch.catchUp(), parts.pollMs ?? POLL_MS);
  timer.unref();
  return {
    catchUp: () => watch.catchUp(),
    stop: async () => {
      clearInterval(timer);
      await unsubscribe?.();
      await watch.settled();
    },
  };
}

class Watch {
  private last: Promise<boolean> = Promise.resolve(false);
  /** A look that has not begun: who asks now gets it, whatever runs at the moment. */
  private next: Promise<boolean> | undefined;
  private refused: string | undefined;
  private boardAhead: string | undefined;
  private readonly away = new Set<string>();

  constructor(private readonly parts: CatalogWatchParts) {}

  catchUp(): Promise<boolean> {
    if (this.next !== undefined) return this.next;
    this.next = this.last.then(() => {
      this.next = undefined;
      return this.look();
    });
    this.last = this.next;
    return this.next;
  }

  async settled(): Promise<void> {
    await this.last;
  }

  private async look(): Promise<boolean> {
    const { catalog, board } = this.parts;
    const before = catalog.version();
    await this.reach('the catalogue', () => this.follow());
    catalog.refresh();
    if (board !== undefined) await this.reach('the place where workers find the catalogue', () => this.pass(board));
    return catalog.version() !== before;
  }

  async follow(): Promise<void> {
    const { catalog, source, show } = this.parts;
    const mark = await source.newest();
    show('newest', numberOf(mark ?? catalog.state()));
    if (mark === undefined || isSame(mark, catalog.state())) this.refused = undefined;
    else if (this.refused !== nameMark(mark)) await this.takeNewest(mark);
    show('in_force', numberOf(catalog.state()));
  }

  private async takeNewest(mark: CatalogMark): Promise<void> {
    const { catalog, source } = this.parts;
    const isTaken = this.take(await source.read(), mark);
    if (!isTaken && catalog.state() === undefined) await this.takeEarlier(mark.id);
  }

  private take(state: unknown, mark: CatalogMark): boolean {
    const { catalog, log } = this.parts;
    try {
      this.putInForce(state);
      this.refused = undefined;
      return true;
    } catch (error) {
      this.refused = nameMark(mark);
      const problem = error instanceof Error ? error.message : String(error);
      log.error(
        { catalogVersion: mark.id, inForce: catalog.state()?.id ?? 0, problem },
        'this version of the catalogue cannot be read; what was in force before stays so',
      );
      return false;
    }
  }

  /** A process that starts goes on where it would be had it run all the time: with the newest version that it can read. */
  private async takeEarlier(id: number): Promise<void> {
    const { catalog, source } = this.parts;
    for (let before = id, tries = 0; tries < EARLIER_MAX && catalog.state() === undefined; tries += 1) {
      const state = (await source.readBefore?.(before)) as { readonly id?: unknown } | undefined;
      if (typeof state?.id !== 'number') return;
      before = state.id;
      try {
        this.putInForce(state);
      } catch (error) {
        this.parts.log.warn({ catalogVersion: before, error }, 'an earlier version of the catalogue cannot be read either');
      }
    }
  }

  private putInForce(state: unknown): void {
    const { catalog, log, keep } = this.parts;
    catalog.replace(state);
    const inForce = catalog.state();
    if (inForce === undefined) return;
    log.info({ catalogVersion: inForce.id }, 'a version of the catalogue is in force');
    keep?.(inForce);
  }

  /** A board that is ahead may be right, and this process late: it is put right at the second look only. */
  private async pass(board: CatalogBoard): Promise<void> {
    const state = this.parts.catalog.state();
    if (state === undefined) return;
    const mark = await board.newest();
    if (isSame(mark, state)) return void (this.boardAhead = undefined);
    const name = mark === undefined ? '' : nameMark(mark);
    if (mark !== undefined && mark.id > state.id && this.boardAhead !== name) return void (this.boardAhead = name);
    this.boardAhead = undefined;
    await board.publish(state);
  }

  private async reach(what: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      if (this.away.delete(what)) this.parts.log.info({}, `${what} can be reached again`);
    } catch (error) {
      if (this.away.has(what)) return;
      this.away.add(what);
      this.parts.log.warn({ error }, `${what} cannot be reached; what is known stays in force`);
    }
  }
}

function isSame(mark: CatalogMark | undefined, state: CatalogMark | undefined): boolean {
  return mark?.id === state?.id && mark?.digest === state?.digest;
}

/** 0: the catalogue of the release. */
function numberOf(mark: CatalogMark | undefined): number {
  return mark?.id ?? 0;
}

function nameMark({ id, digest }: CatalogMark): string {
  return `${id} ${digest}`;
}
