import {
  advanceAuditExport,
  claimExport,
  noteUsageExported,
  readAuditMark,
  readAuditRows,
  readUsageExport,
  releaseExport,
  type AuditMark,
  type Database,
  type ExportStream,
} from '@weir/database';
import { repeatTasks, type RunningTasks } from '@weir/http-server';
import {
  createExportMetrics,
  openLogSender,
  type ExportProgress,
  type LogSender,
  type MetricsRegistry,
  type OtlpSettings,
} from '@weir/telemetry';
import { randomUUID } from 'node:crypto';
import { describeAudit, describeUsage } from './describe-record';

type Pool = Database['pool'];

type ExportSettings = OtlpSettings & { readonly AUDIT_EXPORT?: string | undefined; readonly USAGE_EXPORT?: string | undefined };

type ExportParts = {
  readonly service: string;
  readonly settings: ExportSettings;
  readonly database: { readonly pool: Pool };
  readonly registry: MetricsRegistry;
  readonly log: { warn(about: object, message: string): void };
  readonly now?: () => number;
};

const EVERY_MS = 2_000;
/** Longer than a receiver may take for one message. */
const LEASE_MS = 60_000;
const RECORDS_AT_ONCE = 500;

/** Starts what sends audit and usage to receivers of logs. Any number of processes may: one of them sends a log at a time. */
export function startLogExports({ service, settings, database: { pool }, registry, log, now = Date.now }: ExportParts): RunningTasks {
  const { AUDIT_EXPORT: audit, USAGE_EXPORT: usage } = settings;
  if (audit === undefined && usage === undefined) return { stop: () => Promise.resolve() };
  const progressOf = createExportMetrics(registry, now);
  const owner = randomUUID();
  const open = (stream: ExportStream, receiver: string): Stream => ({
    ...{ pool, owner, stream, log, progress: progressOf(stream) },
    send: openLogSender(service, receiver, settings),
  });
  const streams = [
    ...(audit === undefined ? [] : [createAuditExport(open('audit', audit))]),
    ...(usage === undefined ? [] : [createUsageExport(open('usage', usage))]),
  ];
  const tasks = repeatTasks(
    streams.map(({ stream, exportSome }) => ({ name: `export of ${stream}`, everyMs: EVERY_MS, run: exportSome })),
    log,
  );
  return {
    stop: async () => {
      await tasks.stop();
      for (const { stream } of streams) await releaseExport(pool, { stream, owner }).catch(() => undefined); // it ends by itself
    },
  };
}

export type Stream = {
  readonly pool: Pool;
  readonly owner: string;
  readonly stream: ExportStream;
  readonly send: LogSender;
  readonly progress: ExportProgress;
  readonly log: ExportParts['log'];
};

type LogExport = { readonly stream: ExportStream; readonly exportSome: () => Promise<void> };

/** Whether all that had begun by the mark has been committed or undone since. */
function isWhole(mark: AuditMark | undefined, latest: AuditMark): boolean {
  return mark !== undefined && latest.oldestRunning >= mark.next;
}

/** Exports changes in the order of their sequences; each run goes up to what was whole by the run before. */
export function createAuditExport(given: Stream): LogExport {
  const { pool, owner, stream } = given;
  let mark: AuditMark | undefined;
  const exportSome = async (): Promise<void> => {
    const position = await claimExport(pool, { stream, owner, leaseMs: LEASE_MS });
    if (position === undefined) return given.progress.complete();
    const latest = await readAuditMark(pool);
    const whole = isWhole(mark, latest) ? mark : undefined;
    const upTo = whole?.newest ?? position;
    if (mark === undefined || whole !== undefined) mark = latest;
    if (await sendChanges(given, { after: position, upTo })) given.progress.complete();
  };
  return { stream, exportSome };
}

/** False where some of them were not taken. */
async function sendChanges(given: Stream, { after: position, upTo }: { after: bigint; upTo: bigint }): Promise<boolean> {
  const { pool, owner } = given;
  for (let after = position; after < upTo;) {
    const rows = await readAuditRows(pool, { after, upTo, limit: RECORDS_AT_ONCE });
    if (rows.length > 0 && !(await sendSome(given, rows.map(describeAudit)))) return false;
    after = rows.length < RECORDS_AT_ONCE ? upTo : (rows.at(-1)?.sequence ?? upTo);
    await advanceAuditExport(pool, owner, after);
  }
  return true;
}

/** Exports events of all journals that were counted, until none is left. */
export function createUsageExport(given: Stream): LogExport {
  const { pool, owner, stream } = given;
  const exportSome = async (): Promise<void> => {
    for (;;) {
      if ((await claimExport(pool, { stream, owner, leaseMs: LEASE_MS })) === undefined) break;
      const { rows, looked } = await readUsageExport(pool, RECORDS_AT_ONCE);
      if (rows.length > 0 && !(await sendSome(given, rows.map(describeUsage)))) return;
      await noteUsageExported(pool, looked);
      if (rows.length === 0) break;
    }
    given.progress.complete();
  };
  return { stream, exportSome };
}

/** Whether the receiver took them; one that did not gets them again. */
async function sendSome({ send, progress, log, stream }: Stream, records: Parameters<LogSender>[0]): Promise<boolean> {
  const sending = await send(records);
  if (sending.isTaken) progress.taken(records.length);
  else {
    progress.failed();
    log.warn({ stream, records: records.length, reason: sending.reason }, 'the receiver of logs did not take records; they are sent again');
  }
  return sending.isTaken;
}
