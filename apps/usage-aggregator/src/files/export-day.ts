import type { UsageManifest } from '@weir/contracts';
import { LostLease, readSettledDay, type ClaimedExport, type SettledDay } from '@weir/database';
import { DAY_MS, nameDay, nameFileObject } from '@weir/usage';
import { buildManifest } from './build-manifest';
import type { ExportParts } from './export-parts';
import { keepLease, type Lease } from './keep-lease';
import { ChangedDay, writeFile, type PlannedFile } from './write-file';

/**
 * What became of a day. `published`: its manifest is in the bucket. `unchanged`: what was published is right. `waiting`: it changes, or is
 * not settled. `taken`: another process has it. `failed`: it is tried again.
 */
export type ExportOutcome = 'published' | 'unchanged' | 'waiting' | 'taken' | 'failed';

type DayOf = Pick<ClaimedExport, 'organizationId' | 'dayMs'>;

const PAUSE_MS = 60_000;
const PAUSE_MS_MAX = 3_600_000;
const LEFT_OUT = 'its events are no longer kept';

/**
 * Exports a day as it is by now, unless it is exported already. Killed at any moment, the next run goes on: files that are noted stay,
 * a file that is not is made again with the same bytes, and a manifest that was decided on is written as it was decided. Should the day
 * have changed before it was, the files of what it was are made anew under other names, and those are removed.
 */
export async function exportDay(parts: ExportParts, day: DayOf): Promise<ExportOutcome> {
  const first = await parts.exports.claim(day);
  if (first === undefined) return 'taken';
  const work = new ExportWork(parts, first);
  try {
    return await work.advance();
  } catch (error) {
    return await work.end(error);
  } finally {
    work.lease.stop();
  }
}

class ExportWork {
  readonly lease: Lease;

  constructor(
    private readonly parts: ExportParts,
    private claimed: ClaimedExport,
  ) {
    this.lease = keepLease(parts, claimed);
  }

  async advance(): Promise<ExportOutcome> {
    const { exports, database } = this.parts;
    if (this.claimed.state !== 'sealed') {
      const day = await readSettledDay(database, this.claimed);
      if (day === undefined) throw new ChangedDay();
      if (this.claimed.state === 'published') {
        if (this.claimed.fingerprint === day.fingerprint) {
          await exports.noteUnchanged(this.claimed, day.attempt);
          return 'unchanged';
        }
        const next = await exports.beginNext(this.claimed);
        if (next === undefined) return 'taken';
        this.follow(next);
      }
      await this.writeFiles(day);
      await this.seal(day);
    }
    return this.publish();
  }

  private async writeFiles(day: SettledDay): Promise<void> {
    const { exports } = this.parts;
    const { fingerprint } = this.claimed;
    if (fingerprint !== day.fingerprint) {
      this.follow(await exports.adopt(this.claimed, day.fingerprint));
      if (fingerprint !== null) await this.removeFiles(fingerprint);
    }
    for (const planned of this.plan()) {
      if (this.isWritten(planned)) continue;
      const file = await writeFile(this.parts, { claimed: this.claimed, day }, planned, this.lease.signal);
      this.follow(await exports.noteFile(this.claimed, file));
    }
  }

  /** What was written of a state of the day that no manifest will ever name. */
  private async removeFiles(fingerprint: string): Promise<void> {
    const keys = this.listFiles().map((planned) => nameFileObject(this.parts.settings.prefix, this.claimed, { ...planned, fingerprint }));
    await this.parts.files.remove(keys).catch((error: unknown) => {
      this.parts.log.warn({ error, ...this.describe() }, 'files of usage that changed meanwhile could not be removed from the bucket');
    });
  }

  private async seal(day: SettledDay): Promise<void> {
    const { settings, exports } = this.parts;
    const missing = new Set(this.listFiles().flatMap((file) => (this.isWritten(file) ? [] : [file.dataset])));
    const leftOut = [...missing].map((dataset) => ({ dataset, reason: LEFT_OUT }));
    const supersedes = await this.findSuperseded();
    this.lease.signal.throwIfAborted();
    const manifest = buildManifest(settings.prefix, { claimed: this.claimed, day, supersedes, leftOut });
    this.follow(await exports.seal(this.claimed, manifest, day.attempt));
  }

  private async publish(): Promise<'published'> {
    const { exports, files, metrics, log } = this.parts;
    const { manifest, manifestText, revision } = this.claimed;
    if (manifest === null || manifestText === null) throw new Error('a sealed export has no manifest');
    const chunks = Buffer.from(manifestText);
    await files.put({ key: manifest.key, type: 'application/json', chunks: once(chunks) }, this.lease.signal);
    await exports.publish(this.claimed);
    metrics.published(revision === 1);
    log.info({ ...this.describe(), files: this.claimed.files.length, manifest: manifest.key }, 'usage of a day was exported');
    return 'published';
  }

  /** Ends the claim after an error, unless it is another's by now. */
  async end(error: unknown): Promise<ExportOutcome> {
    const { exports, metrics, log, stopping } = this.parts;
    if (error instanceof LostLease || this.lease.signal.reason instanceof LostLease) return 'taken';
    const isHarmless = error instanceof ChangedDay || stopping.aborted;
    const pauseMs = Math.min(PAUSE_MS * 2 ** this.claimed.failures, PAUSE_MS_MAX);
    const failure = isHarmless ? undefined : { text: error instanceof Error ? error.message : String(error), pauseMs };
    await exports.release(this.claimed, failure).catch(() => undefined); // it ends by itself
    if (isHarmless) return 'waiting';
    metrics.failed();
    log.warn({ error, ...this.describe() }, 'usage of a day could not be exported; it is tried again');
    return 'failed';
  }

  private async findSuperseded(): Promise<UsageManifest['supersedes']> {
    const { revision } = this.claimed;
    if (revision === 1) return null;
    const before = await this.parts.exports.findManifest({ ...this.claimed, revision: revision - 1 });
    if (before === null) throw new Error(`revision ${revision - 1} was never published`);
    return { revision: revision - 1, manifest: before.key, sha256: before.sha256 };
  }

  private listFiles(): PlannedFile[] {
    const { datasets, formats } = this.parts.settings;
    return datasets.flatMap((dataset) => formats.map((format) => ({ dataset, format })));
  }

  private isWritten(planned: PlannedFile): boolean {
    return this.claimed.files.some(({ dataset, format }) => dataset === planned.dataset && format === planned.format);
  }

  /** Partitions of events are dropped as a whole, when the last of a day is too old. */
  private plan(): PlannedFile[] {
    const { eventDays, now } = this.parts;
    const areEventsKept = this.claimed.dayMs + DAY_MS > now() - eventDays * DAY_MS;
    return this.listFiles().filter(({ dataset }) => dataset !== 'events' || areEventsKept);
  }

  private follow(claimed: ClaimedExport): void {
    this.claimed = claimed;
    this.lease.follow(claimed);
  }

  private describe(): object {
    const { organizationId, dayMs, revision } = this.claimed;
    return { organizationId, day: nameDay(dayMs), revision };
  }
}

async function* once(chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(chunk);
}
