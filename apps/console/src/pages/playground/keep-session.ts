import { isSentOn, type Reply, type Round } from './conversation';
import { EMPTY_DRAFT, type Draft } from './draft';
import { KEPT_PREFIX } from './forget-playground';
import { asArray, asRecord, parseJson } from './json';

/** What the tab remembers of the playground, until it is closed or its user signs out. */
export type Kept = {
  readonly draft: Draft;
  /** A conversation for each place beside each other. */
  readonly lanes: readonly (readonly Round[])[];
  readonly models: readonly string[];
};

function nameFor(keyId: string): string {
  return `${KEPT_PREFIX}:${keyId}`;
}

/** What the same key wrote in this tab before; what another one wrote is forgotten. */
export function readKept(keyId: string): Kept | undefined {
  const own = nameFor(keyId);
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(`${KEPT_PREFIX}:`) && !name.startsWith(own)) sessionStorage.removeItem(name);
  }
  const kept = asRecord(parseJson(sessionStorage.getItem(own) ?? ''));
  const draft = asRecord(kept?.['draft']);
  if (draft === undefined) return undefined;
  const lanes = asArray(kept?.['lanes']).map((rounds) => (asArray(rounds) as Round[]).map(endRunning));
  const models = asArray(kept?.['models']).filter((model) => typeof model === 'string');
  return { draft: { ...EMPTY_DRAFT, ...draft }, lanes, models };
}

/** Returns whether all of it could be kept; otherwise what was typed is kept, and files and conversations are not. */
export function writeKept(keyId: string, kept: Kept): boolean {
  const name = nameFor(keyId);
  try {
    sessionStorage.setItem(name, JSON.stringify(kept));
    return true;
  } catch {
    try {
      sessionStorage.setItem(name, JSON.stringify({ ...kept, draft: { ...kept.draft, attachments: [] }, lanes: [] }));
    } catch {
      sessionStorage.removeItem(name);
    }
    return false;
  }
}

/** A reply that was under way when the page was left. */
function endRunning(round: Round): Round {
  if (round.reply?.state !== 'running') return round;
  const reply: Reply = { ...round.reply, state: 'stopped' };
  const ended = { ...round, reply };
  return isSentOn(ended) ? ended : { ...round, reply: { ...reply, failure: { message: 'The page was left before a reply came.' } } };
}
