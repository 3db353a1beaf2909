import type { Rule } from '../repository/repository';

const MIGRATION = /^libs\/database\/prisma\/migrations\/([^/]+)\/migration\.sql$/;
/** `-- contract: <why nothing that still runs needs it>` before a statement lets it take something away. */
const CONTRACT = /--\s*contract:\s*\S+/;

/** What the version before this one cannot live with: it goes on running while the new schema is there already. */
const TAKES_AWAY: readonly { readonly pattern: RegExp; readonly what: string }[] = [
  { pattern: /\bDROP\s+(TABLE|COLUMN|TYPE|SCHEMA|VIEW)\b/i, what: 'drops what the version before may still use' },
  { pattern: /\bRENAME\b/i, what: 'renames what the version before may still use' },
  { pattern: /\bSET\s+NOT\s+NULL\b/i, what: 'demands a value that the version before may not write' },
  {
    pattern: /\bADD\s+COLUMN\b(?:(?!\bDEFAULT\b|,\s*ADD\b)[\s\S])*\bNOT\s+NULL\b(?![^,]*\bDEFAULT\b)/i,
    what: 'adds a column that the version before does not fill',
  },
  { pattern: /\bALTER\s+COLUMN\s+\S+\s+(SET\s+DATA\s+)?TYPE\b/i, what: 'changes the type of a column' },
];

/** Came before anything ran that could have needed what they took away. */
const BEFORE_THE_FIRST_RELEASE = new Set(['20261121111000_usage_partitions']);

/** Migrations only add, unless they say why what they take away is not needed any more. */
export const checkMigrations: Rule = ({ files }) =>
  files.flatMap(({ path, text }) => {
    const name = MIGRATION.exec(path)?.[1];
    if (name === undefined || BEFORE_THE_FIRST_RELEASE.has(name)) return [];
    const made = new Set([...text.matchAll(/\bCREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?("?[\w.]+"?)/gi)].map(([, table = '']) => table));
    return splitStatements(text).flatMap((statement) => {
      if (CONTRACT.test(statement)) return [];
      const altered = /\bALTER\s+TABLE\s+(?:ONLY\s+)?("?[\w.]+"?)/i.exec(statement)?.[1];
      // What this very migration makes, no one uses yet.
      if (altered !== undefined && made.has(altered)) return [];
      const code = statement.replace(/--.*$/gm, '');
      return TAKES_AWAY.filter(({ pattern }) => pattern.test(code)).map(({ what }) => `${path}: ${what}: ${code.trim().slice(0, 80)}`);
    });
  });

/** At semicolons outside of dollar-quoted bodies, each with the comments before it. */
function splitStatements(sql: string): string[] {
  const bodies: string[] = [];
  const flat = sql.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, (body) => {
    bodies.push(body);
    return `$${bodies.length}$`;
  });
  return flat.split(';').filter((statement) => statement.trim() !== '');
}
