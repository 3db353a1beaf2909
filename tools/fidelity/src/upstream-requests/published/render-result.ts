import { layOut } from '../../page/fidelity-page';
import type { ClientRequest } from '../corpus/list-requests';
import type { CheckResult } from './check-requests';
import { KNOWN_DEVIATIONS } from './known-deviations';
import { MODELS } from './models';
import type { PublishedTypes } from './vendor-types';

/** The result as a part of the page `docs/fidelity.md`. */
export function renderResult(
  requests: readonly ClientRequest[],
  result: CheckResult,
  published: Readonly<Record<string, PublishedTypes>>,
): string {
  const captured = requests.filter(({ isCaptured }) => isCaptured).length;
  const counts = Object.values(result.asked);
  const accepted = counts.reduce((sum, count) => sum + count.accepted, 0);
  const refused = counts.reduce((sum, count) => sum + count.refused, 0);
  const deviating = new Set([...result.explained, ...result.failures].map(({ sent }) => sent));
  const rows = Object.entries(published).map(([name, { vendor, source }]) => {
    const own = result.bodies.filter(({ types }) => types === name);
    const express = own.filter(({ lane }) => lane === 'express').length;
    const exact = own.filter(
      (sent) => ![...deviating].some(({ text, types, lane }) => text === sent.text && types === name && lane === sent.lane),
    ).length;
    return [vendor, `\`${source}\``, String(own.length), String(express), String(exact)];
  });
  const reasons = KNOWN_DEVIATIONS.map((known) => {
    const bodies = new Set(result.explained.filter(({ by }) => by === known).map(({ sent }) => sent.text));
    return [known.name, String(bodies.size), known.reason];
  });
  return [
    '## Requests and the vendors’ published types',
    '',
    `${requests.length} requests (${captured} of real clients, the others made for it, in every dialect) were each put through the worker’s lane to ${MODELS.length}`,
    `models: ${accepted} were encoded for the provider, ${refused} refused because it has no words for them. Every different body that came out was checked,`,
    'member by member, against the request types that the vendor publishes with its own SDK; a member that these do not know is an error.',
    '',
    ...layOut([['vendor', 'types of', 'bodies', 'of them express', 'exact'], ...rows]),
    '',
    'The others deviate in a known way:',
    '',
    ...layOut([['deviation', 'bodies', 'reason'], ...reasons]),
    '',
  ].join('\n');
}
