import { writeSync } from 'node:fs';
import { beginAttempt, endAttempt, openJournal } from './open-journal';

/** Runs attempts until it is killed, and says what it did as soon as the journal says it is done. */
const [directory = '', prefix = ''] = process.argv.slice(2);
const journal = openJournal(directory, { segmentBytesMax: 20_000 });
const say = (line: string): void => void writeSync(1, `${line}\n`);

say(`writer ${journal.writerId}`);
for (let index = 0; ; index += 1) {
  const id = `${prefix}-${index}:1`;
  beginAttempt(journal, id);
  say(`begun ${id}`);
  journal.progress(id, index);
  // Every third attempt stays open a while, and one in thirty for ever.
  const ended = index % 3 === 0 ? index - 9 : index;
  if (ended < 0 || (index % 3 === 0 && index % 30 === 0)) continue;
  const endedId = `${prefix}-${ended}:1`;
  endAttempt(journal, endedId);
  say(`ended ${endedId}`);
}
