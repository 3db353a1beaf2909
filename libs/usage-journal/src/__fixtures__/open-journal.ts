import { existsSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SequencedUsageEvent, UsageEvent } from '@weir/contracts';
import { createUsageJournal, openOrphanJournals } from '../create-usage-journal';
import { TailReader } from '../shipping/tail-reader';
import type { BegunText, UsageJournal, UsageJournalOptions } from '../usage-journal';

/** In memory where there is such a place: hundreds of small journals with honest syncs would keep a disk busy for long. */
export function makeDirectory(): string {
  return mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'weir-journal-'));
}

/** Only the id matters to the journal; the rest stands for a real event's text. */
export function makeEvent(eventId: string, more: Partial<UsageEvent> = {}): UsageEvent {
  return { v: 1, event_id: eventId, status: 'ok', ...more } as UsageEvent;
}

/** A crash closer that keeps what it was given, so that specs can look at it. */
export function closeCrashed(draftJson: string, outputTokens: number | undefined): UsageEvent {
  const { event_id: eventId } = JSON.parse(draftJson) as { event_id: string };
  return makeEvent(eventId, { status: 'aborted_crash', dur_ms: outputTokens ?? -1 });
}

export function openJournal(directory: string, more: Partial<UsageJournalOptions> = {}): UsageJournal {
  return createUsageJournal(describeJournals(directory, more));
}

/** What processes before this one left. */
export function recoverJournals(directory: string, more: Partial<UsageJournalOptions> = {}): UsageJournal[] {
  return openOrphanJournals(describeJournals(directory, more));
}

/** The only journal that was left. */
export function recoverJournal(directory: string, more: Partial<UsageJournalOptions> = {}): UsageJournal {
  const [first] = recoverJournals(directory, more);
  if (first === undefined) throw new Error(`no journal was left in ${directory}`);
  return first;
}

function describeJournals(directory: string, more: Partial<UsageJournalOptions>): UsageJournalOptions {
  return { directory, durability: 'process', closeCrashed, now: () => 1_000, ...more };
}

/** What the beginning of an attempt knows of its event already, and where that stands in its draft. */
function describeBegun(eventId: string): BegunText {
  return { text: JSON.stringify({ v: 1, event_id: eventId }).slice(0, -1), at: 1 };
}

export function beginAttempt(journal: UsageJournal, eventId: string): void {
  journal.begin(eventId, ` ${describeBegun(eventId).text}}`);
}

export function runAttempt(journal: UsageJournal, eventId: string, more: Partial<UsageEvent> = {}): bigint {
  beginAttempt(journal, eventId);
  return endAttempt(journal, eventId, more);
}

export function endAttempt(journal: UsageJournal, eventId: string, more: Partial<UsageEvent> = {}): bigint {
  const begun = describeBegun(eventId);
  return journal.end(eventId, JSON.stringify(makeEvent(eventId, more)).slice(begun.text.length), begun).sequence;
}

/** Everything the journal would ship from a sequence on. */
export async function readAll(journal: UsageJournal, from = 0): Promise<SequencedUsageEvent[]> {
  await journal.flush();
  const reader = new TailReader({ tail: journal.tail, writerId: journal.writerId, epoch: journal.epoch }, from);
  const events: SequencedUsageEvent[] = [];
  for (let batch = await reader.next(7); batch.length > 0; batch = await reader.next(7)) events.push(...batch);
  await reader.close();
  return events;
}

/** `id`, `id!` for one that a crash cut short, `?` for one that is lost. */
export function describeEvent(event: SequencedUsageEvent): string {
  const payload = JSON.parse(event.payload) as { event_id?: string; status?: string; lost?: boolean };
  if (payload.lost === true) return '?';
  return payload.status === 'aborted_crash' ? `${payload.event_id}!` : `${payload.event_id}`;
}

export async function readIds(journal: UsageJournal, from = 0): Promise<string[]> {
  return (await readAll(journal, from)).map(describeEvent);
}

/** The segment files of a writer, in order. */
export function listSegments(directory: string, writerId: string): string[] {
  const folder = join(directory, writerId);
  return readdirSync(folder)
    .filter((name) => name.endsWith('.seg'))
    .sort()
    .map((name) => join(folder, name));
}
