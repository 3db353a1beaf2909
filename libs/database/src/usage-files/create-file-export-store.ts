import type { ExportedFile } from '@weir/contracts';
import type { ExportedDay } from '@weir/usage';
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { decodeExport, EXPORT_COLUMNS, LostLease, type ClaimedExport, type ExportRow, type SealedManifest } from './file-export-row';

type DayOf = Pick<ExportedDay, 'organizationId' | 'dayMs'>;

/** What is known of exports, and who is at work on which. Each step is one statement, refused to all but the claim that is in force. */
export type FileExportStore = {
  /** Takes the newest revision of a day, or begins the first; undefined while another process has it. */
  claim(day: DayOf): Promise<ClaimedExport | undefined>;
  /** Prolongs a lease. Throws LostLease when it is another's by now; so do all that follow. */
  renew(claimed: ClaimedExport): Promise<void>;
  /** The day changed since this revision was published: begins the next one. Undefined when another process did. */
  beginNext(published: ClaimedExport): Promise<ClaimedExport | undefined>;
  /** The files from here on are of this state of the day; those of another one are forgotten. */
  adopt(claimed: ClaimedExport, fingerprint: string): Promise<ClaimedExport>;
  /** A file is whole and in the bucket. */
  noteFile(claimed: ClaimedExport, file: ExportedFile): Promise<ClaimedExport>;
  /** Decides what the manifest says, once and for all, and which attempt found the day to be that. */
  seal(claimed: ClaimedExport, manifest: SealedManifest & { readonly text: string }, attempt: bigint): Promise<ClaimedExport>;
  /** The manifest is in the bucket. Ends the claim. */
  publish(claimed: ClaimedExport): Promise<void>;
  /** The day is still what was published. Ends the claim. */
  noteUnchanged(claimed: ClaimedExport, attempt: bigint): Promise<void>;
  /** Ends the claim; `failure` says why it is left alone for `pauseMs`. */
  release(claimed: ClaimedExport, failure?: { readonly text: string; readonly pauseMs: number }): Promise<void>;
  /** The manifest of a published revision; null where it was never published. */
  findManifest(day: ExportedDay): Promise<SealedManifest | null>;
};

const OF_DAY = 'org_id = $1 AND day = to_timestamp($2::bigint)';
/** Bound in this order: organization, day, revision, owner. */
const OF_CLAIM = `${OF_DAY} AND revision = $3 AND leased_by = $4::uuid`;
const LEASE = "now() + $5::bigint * interval '1 millisecond'";

const CLAIM = {
  name: 'weir-claim-usage-files',
  text: `UPDATE usage_file_export SET leased_by = $4::uuid, leased_until = now() + $3::bigint * interval '1 millisecond'
    WHERE ${OF_DAY} AND revision = (SELECT max(revision) FROM usage_file_export WHERE ${OF_DAY})
      AND (leased_until IS NULL OR leased_until < now()) RETURNING ${EXPORT_COLUMNS}`,
};
const BEGIN_FIRST = {
  name: 'weir-begin-usage-files',
  text: `INSERT INTO usage_file_export (org_id, day, revision, leased_by, leased_until)
    SELECT $1, to_timestamp($2::bigint), 1, $4::uuid, now() + $3::bigint * interval '1 millisecond'
    WHERE NOT EXISTS (SELECT FROM usage_file_export WHERE ${OF_DAY}) ON CONFLICT DO NOTHING RETURNING ${EXPORT_COLUMNS}`,
};
const BEGIN_NEXT = {
  name: 'weir-begin-usage-files-again',
  text: `WITH ended AS (UPDATE usage_file_export SET leased_by = NULL, leased_until = NULL WHERE ${OF_CLAIM} AND state = 'published' RETURNING revision)
    INSERT INTO usage_file_export (org_id, day, revision, leased_by, leased_until)
    SELECT $1, to_timestamp($2::bigint), $3::int + 1, $6::uuid, ${LEASE} FROM ended ON CONFLICT DO NOTHING RETURNING ${EXPORT_COLUMNS}`,
};

function change(name: string, set: string, where = ''): { readonly name: string; readonly text: string } {
  return {
    name: `weir-usage-files-${name}`,
    text: `UPDATE usage_file_export SET ${set} WHERE ${OF_CLAIM} ${where} RETURNING ${EXPORT_COLUMNS}`,
  };
}

const END = 'leased_by = NULL, leased_until = NULL';
const RENEW = change('renew', `leased_until = ${LEASE}`);
const ADOPT = change('adopt', "fingerprint = $5, as_of = now(), files = '[]'", "AND state = 'writing'");
const NOTE_FILE = change('note', 'files = files || $5::jsonb', "AND state = 'writing'");
const SEAL = change(
  'seal',
  "state = 'sealed', manifest = $5, manifest_key = $6, manifest_sha256 = $7, attempt = $8::bigint",
  "AND state = 'writing'",
);
const PUBLISH = change(
  'publish',
  `state = 'published', published_at = now(), manifest = NULL, failures = 0, failure = NULL, ${END}`,
  "AND state = 'sealed'",
);
const NOTE_UNCHANGED = change('unchanged', `attempt = $5::bigint, failures = 0, failure = NULL, ${END}`, "AND state = 'published'");
const RELEASE = change('release', END);
const FAIL = change('fail', `failures = failures + 1, failure = $6, leased_by = NULL, leased_until = ${LEASE}`);
const FIND_MANIFEST = {
  name: 'weir-find-usage-manifest',
  text: `SELECT manifest_key AS key, manifest_sha256 AS sha256 FROM usage_file_export WHERE ${OF_DAY} AND revision = $3 AND state = 'published'`,
};

const FAILURE_CHARS_MAX = 500;

export function createFileExportStore(pool: Pool, { leaseMs }: { readonly leaseMs: number }): FileExportStore {
  const run = async (statement: { name: string; text: string }, claimed: ClaimedExport, more: readonly unknown[] = []) => {
    const values = [claimed.organizationId, claimed.dayMs / 1000, claimed.revision, claimed.owner, ...more];
    const { rows } = await pool.query<ExportRow>({ ...statement, values });
    if (rows[0] === undefined) throw new LostLease();
    return decodeExport(rows[0], claimed.owner);
  };
  return {
    claim: async ({ organizationId, dayMs }) => {
      const owner = randomUUID();
      const values = [organizationId, dayMs / 1000, leaseMs, owner];
      const claimed = (await pool.query<ExportRow>({ ...CLAIM, values })).rows[0];
      const row = claimed ?? (await pool.query<ExportRow>({ ...BEGIN_FIRST, values })).rows[0];
      return row === undefined ? undefined : decodeExport(row, owner);
    },
    renew: async (claimed) => void (await run(RENEW, claimed, [leaseMs])),
    beginNext: async ({ organizationId, dayMs, revision, owner }) => {
      const nextOwner = randomUUID();
      const values = [organizationId, dayMs / 1000, revision, owner, leaseMs, nextOwner];
      const { rows } = await pool.query<ExportRow>({ ...BEGIN_NEXT, values });
      return rows[0] === undefined ? undefined : decodeExport(rows[0], nextOwner);
    },
    adopt: (claimed, fingerprint) => run(ADOPT, claimed, [fingerprint]),
    noteFile: (claimed, file) => run(NOTE_FILE, claimed, [JSON.stringify([file])]),
    seal: (claimed, { text, key, sha256 }, attempt) => run(SEAL, claimed, [text, key, sha256, String(attempt)]),
    publish: async (claimed) => void (await run(PUBLISH, claimed)),
    noteUnchanged: async (claimed, attempt) => void (await run(NOTE_UNCHANGED, claimed, [String(attempt)])),
    release: async (claimed, failure) => {
      const isFailure = failure !== undefined;
      await run(isFailure ? FAIL : RELEASE, claimed, isFailure ? [failure.pauseMs, failure.text.slice(0, FAILURE_CHARS_MAX)] : []);
    },
    findManifest: async ({ organizationId, dayMs, revision }) => {
      const { rows } = await pool.query<SealedManifest>({ ...FIND_MANIFEST, values: [organizationId, dayMs / 1000, revision] });
      return rows[0] ?? null;
    },
  };
}
