import type { UsageEvent } from '@weir/contracts';
import type { JournalLog } from '../ports/journal-log';
import { readReserve } from './disk-reserve';
import type { JournalFiles } from './journal-files';
import type { FolderScan } from './scan-folder';

/** `segment`: in which the attempt began, by its first sequence. */
type LeftEnd = { readonly eventId: string; readonly text: string; readonly isCutShort: boolean; readonly segment: number };

type Left = {
  readonly folder: { readonly path: string; readonly writerId: string; readonly files: JournalFiles };
  readonly closeCrashed: (draftJson: string, outputTokens: number | undefined) => UsageEvent;
  readonly log?: JournalLog | undefined;
};

/** How the attempts end that a process left open: as it had noted in its reserve on a full disk, or cut short where it died. */
export function listLeftEnds(scan: FolderScan, { folder, closeCrashed, log }: Left): LeftEnd[] {
  if (scan.open.size === 0) return [];
  const kept = new Map(readReserve(folder.path, folder.files).map(({ eventId, text }) => [eventId, text]));
  return [...scan.open].flatMap(
    ([
      eventId,
      {
        draft,
        outputTokens,
        segment: { firstSequence: segment },
      },
    ]): LeftEnd[] => {
      const text = kept.get(eventId);
      if (text !== undefined) return [{ eventId, text, isCutShort: false, segment }];
      try {
        return [{ eventId, text: JSON.stringify(closeCrashed(draft, outputTokens)), isCutShort: true, segment }];
      } catch (error) {
        log?.error({ error, writerId: folder.writerId, eventId }, 'an attempt cut short by a crash could not be closed');
        return [];
      }
    },
  );
}
