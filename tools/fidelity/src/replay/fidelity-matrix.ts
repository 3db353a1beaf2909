import type { ChatDialect } from '@weir/contracts';
import type { LeftOut } from '../captured/chat-capture';
import { FEATURES, listFeatures, type Feature } from './features';
import { layOut } from '../page/fidelity-page';
import { KNOWN_DIFFERENCES } from './known-differences';
import type { ReplayResult } from './replay-capture';

const DIALECTS: readonly ChatDialect[] = ['chat-completions', 'responses', 'messages'];

/** The results as a part of the page `docs/fidelity.md` and the suite show them. */
export function renderMatrix(results: readonly ReplayResult[], leftOut: readonly LeftOut[]): string {
  const captures = new Set(results.map(({ chat }) => chat.name)).size;
  const exact = results.filter(({ failures, explained }) => failures.length + explained.length === 0).length;
  return [
    `${captures} captured chat replies of real providers were each sent through the chat worker to a caller of every dialect, read there by the`,
    `vendor’s official client, and compared with what a separate reader finds in the raw capture: ${results.length} replays, ${exact} without any difference.`,
    '',
    'A cell says how many captures that show a feature came through whole, of how many. Where it says less than all, the rest are known',
    'differences. `shape` covers the status, the grammar of a stream by the types that the dialect’s vendor publishes (in the express lane',
    'too; what that vendor itself sends is the dialect), the client’s parser, the reason to stop, and one usage event for each call; `usage`',
    'covers every bucket, the journal, and the cost against a calculation by hand.',
    '',
    ...renderTable(
      'Streams',
      results.filter(({ chat }) => chat.isStream),
    ),
    ...renderTable(
      'Whole replies',
      results.filter(({ chat }) => !chat.isStream),
    ),
    ...renderDifferences(results),
    ...renderLeftOut(leftOut),
  ].join('\n');
}

function renderTable(title: string, results: readonly ReplayResult[]): string[] {
  const providers = [...new Set(results.map(({ chat }) => chat.provider))].sort();
  const rows = providers.flatMap((provider) =>
    DIALECTS.map((dialect) => {
      const own = results.filter(({ chat, dialect: spoken }) => chat.provider === provider && spoken === dialect);
      const lane = own.some((result) => result.lane === 'express') ? `${dialect} (express)` : dialect;
      return [provider, lane, ...FEATURES.map((feature) => countCell(own, feature))];
    }),
  );
  return [`## ${title}`, '', ...layOut([['provider', 'dialect', ...FEATURES], ...rows]), ''];
}

function countCell(results: readonly ReplayResult[], feature: Feature): string {
  const shown = results.filter(({ expected }) => listFeatures(expected).includes(feature));
  if (shown.length === 0) return '';
  const differs = ({ failures, explained }: ReplayResult): boolean =>
    [...failures, ...explained.map(({ finding }) => finding)].some((finding) => finding.feature === feature);
  return `${shown.filter((result) => !differs(result)).length}/${shown.length}`;
}

function renderDifferences(results: readonly ReplayResult[]): string[] {
  const rowsOf = (isFault: boolean): string[][] =>
    KNOWN_DIFFERENCES.filter((known) => (known.isFault === true) === isFault).map((known) => {
      const count = results.filter(({ explained }) => explained.some(({ by }) => by === known)).length;
      return [known.name, String(count), known.reason];
    });
  const faults = rowsOf(true);
  const head = ['difference', 'replays', 'reason'];
  return [
    ...['## Known differences', '', ...layOut([head, ...rowsOf(false)]), ''],
    ...(faults.length === 0 ? [] : ['## Known faults', '', ...layOut([head, ...faults]), '']),
  ];
}

function renderLeftOut(leftOut: readonly LeftOut[]): string[] {
  const counts = new Map<string, number>();
  for (const { reason } of leftOut) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([reason, count]) => [reason, String(count)]);
  return ['## Captures that are no chat replies', '', ...layOut([['what they are', 'captures'], ...rows]), ''];
}
