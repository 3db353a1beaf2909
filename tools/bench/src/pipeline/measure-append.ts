import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NO_USAGE } from '@weir/canonical';
import { createCrashCloser, createMeter, type Meter } from '@weir/meter';
import { createUsageJournal, type UsageJournal } from '@weir/usage-journal';
import { createPassports } from './build-passport';

type AppendOptions = { readonly attempts: number };

type AppendResult = {
  /** All that a worker spends on a record, pricing and drafting of the event included; an attempt has two. */
  readonly meterMicroseconds: number;
  /** Of the journal alone. */
  readonly journalMicroseconds: number;
  /** On disk, of a record, on average. */
  readonly bytes: number;
};

/** So many are open at once, and after as many the event loop gets a tick: syncs run as they do in a worker. */
const OPEN = 64;

/** CPU of journalling an attempt in `process` durability, on the disk of the temporary folder. */
export async function measureAppend({ attempts }: AppendOptions): Promise<AppendResult> {
  const meter = await inJournal((journal) => timeMeter(createMeter({ journal, now: Date.now }), attempts));
  const recorded: Recorded[] = [];
  timeOnce(createMeter({ journal: createRecorder(recorded), now: Date.now }), OPEN);
  const journal = await inJournal((opened) => timeJournal(opened, recorded, attempts));
  return { meterMicroseconds: meter, ...journal };
}

async function inJournal<Result>(work: (journal: UsageJournal) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), 'weir-append-'));
  const journal = createUsageJournal({
    directory,
    durability: 'process',
    closeCrashed: createCrashCloser({ now: Date.now }),
    now: Date.now,
  });
  try {
    return await work(journal);
  } finally {
    await journal.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

type Recorded = { readonly draft: string; readonly end: Parameters<UsageJournal['end']> };

function createRecorder(recorded: Recorded[]): Pick<UsageJournal, 'begin' | 'progress' | 'end'> {
  const drafts = new Map<string, string>();
  return {
    begin: (eventId, draft) => void drafts.set(eventId, draft),
    progress: () => undefined,
    end: (...end) => {
      recorded.push({ draft: drafts.get(end[0]) ?? '', end });
      return { sequence: 0n };
    },
  };
}

async function timeMeter(meter: Meter, attempts: number): Promise<number> {
  timeOnce(meter, attempts); // compiled and warm
  const rounds = Math.ceil(attempts / OPEN);
  const cpu = process.cpuUsage();
  for (let round = 0; round < rounds; round += 1) {
    timeOnce(meter, OPEN);
    await breathe();
  }
  return sinceOf(cpu) / (2 * rounds * OPEN);
}

const passportOf = createPassports();
const PASSPORTS = Array.from({ length: 1_000 }, (_, at) => passportOf(at));

function timeOnce(meter: Meter, attempts: number): void {
  for (let at = 0; at < attempts; at += 1) {
    const passport = PASSPORTS[at % PASSPORTS.length] ?? passportOf(at);
    const attempt = meter.openAttempt(passport, 0, 200);
    attempt.noteFirstByte();
    attempt.close({
      usage: { ...NO_USAGE, inputUncached: 100 + (at % 900), output: 20 + (at % 300) },
      status: 'ok',
      httpStatus: 200,
      errorOrigin: null,
      isLogical: true,
    });
  }
}

async function timeJournal(
  journal: UsageJournal,
  recorded: readonly Recorded[],
  attempts: number,
): Promise<Omit<AppendResult, 'meterMicroseconds'>> {
  const rounds = Math.ceil(attempts / recorded.length);
  let cpu = process.cpuUsage();
  for (let round = -rounds; round < rounds; round += 1) {
    if (round === 0) cpu = process.cpuUsage(); // compiled and warm
    for (const { draft, end } of recorded) {
      journal.begin(end[0], draft);
      journal.end(...end);
    }
    await breathe();
  }
  const records = 2 * rounds * recorded.length;
  return { journalMicroseconds: sinceOf(cpu) / records, bytes: journal.stats().bytes / (2 * records) };
}

function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function sinceOf(cpu: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(cpu);
  return user + system;
}
