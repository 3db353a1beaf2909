/** Where the fault rig may let a process fail: `<package>.<what>.<when>`. Names are stable, scenarios are written by them. */
export const FAIL_POINTS = [
  'journal.write',
  'journal.sync',
  'journal.begin.after_write',
  'journal.end.before_write',
  'journal.end.after_write_before_fsync',
  'journal.rotate.before_create',
  'journal.rotate.before_header',
  'journal.rotate.after_header',
  'journal.trim.after_watermark_before_unlink',
  'bus.send.before',
  'bus.send.after_ack',
  'agg.after_fetch',
  'agg.tx.before_commit',
  'agg.tx.after_commit_before_ack',
  'agg.confirm.before_redis',
  'stream.after_first_byte',
  'stream.before_terminal',
] as const;

export type FailPointName = (typeof FAIL_POINTS)[number];

/** Called where a process may be made to fail. It may not return, or throw as a disk would. */
export type FailPoint = (name: FailPointName) => void;

/** What every process has unless the fault rig runs it. */
export const NO_FAIL_POINT: FailPoint = () => undefined;
