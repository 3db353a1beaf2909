/** Models, or a version of the catalogue, that cannot be taken: nothing of them is in force. */
export class CatalogUnreadable extends Error {
  override readonly name = 'CatalogUnreadable';

  constructor(readonly problems: readonly string[]) {
    super(`The model catalogue has ${problems.length} problem(s):\n- ${problems.slice(0, SHOWN_MAX).join('\n- ')}${more(problems.length)}`);
  }
}

const SHOWN_MAX = 50;

function more(count: number): string {
  return count > SHOWN_MAX ? `\n- and ${count - SHOWN_MAX} more` : '';
}
