import { layOut } from '../../page/fidelity-page';
import type { SdkComparison } from './compare-with-sdk';
import { KNOWN_DIFFERENCES } from './known-differences';
import { NORMALISATIONS } from './normalisations';

/** The comparisons as a part of the page `docs/fidelity.md`. */
export function renderComparisons(comparisons: readonly SdkComparison[]): string {
  const rows = comparisons.map(({ sdk, compared, equal }) => [sdk.name, String(compared), String(equal)]);
  const reasons = KNOWN_DIFFERENCES.map((known) => {
    const bodies = new Set(
      comparisons.flatMap(({ explained }) =>
        explained
          .filter(({ by }) => by === known)
          .map(({ compared }) => `${compared.sdk.name} ${compared.dialect} ${compared.conversation}`),
      ),
    );
    return [known.name, String(bodies.size), known.reason];
  });
  return [
    '## Requests and the vendors’ SDKs',
    '',
    'The same conversations were had with the SDK of each vendor and, in every dialect that has words for them, with the gateway. What both send',
    'upstream was compared, after these harmless differences were taken out:',
    '',
    ...layOut([['difference', 'reason'], ...NORMALISATIONS.map(({ name, reason }) => [name, reason])]),
    '',
    ...layOut([['SDK', 'bodies', 'equal'], ...rows]),
    '',
    'The others differ in a known way:',
    '',
    ...layOut([['difference', 'bodies', 'reason'], ...reasons]),
    '',
  ].join('\n');
}
