import { inputTokens, outputTokens, type MediaUsage } from '@weir/canonical';
import type { Attempt } from '@weir/contracts';
import { boundMediaUsage } from '@weir/limits';
import { isPriced } from './bound-usage';

/** What an attempt used, and what its provider reported where that cannot be. */
export type CountedUse = { readonly usage: MediaUsage; readonly doubted?: MediaUsage };

type Plausible = {
  /** Held for the request: see findMostUsage. */
  readonly most: MediaUsage;
  readonly attempt: Attempt;
};

/**
 * What a provider reported, up to the most that was held for the request; what `count` makes of the request itself where it
 * reported nothing, nothing that its model is charged by, or no number.
 */
export function keepPlausible(
  reported: MediaUsage | null,
  { most, attempt }: Plausible,
  count: (reported: MediaUsage | null) => MediaUsage,
): CountedUse {
  // Ours is bounded as well: a provider that reports nothing may send sound without end.
  const countHere = (): MediaUsage => boundMediaUsage(count(null), most);
  if (reported === null) return { usage: countHere() };
  if (reported.isDoubtful === true) return { usage: boundMediaUsage(completeUsage(reported, countHere()), most), doubted: reported };
  const bounded = boundMediaUsage(reported, most);
  const counted = count(bounded);
  if (!isPriced(counted, attempt)) return { usage: countHere(), doubted: reported };
  return bounded === reported ? { usage: counted } : { usage: { ...counted, source: 'estimate' }, doubted: reported };
}

/** What a provider reported in doubt, with our counts where it has none. */
function completeUsage(reported: MediaUsage, counted: MediaUsage): MediaUsage {
  const input = inputTokens(reported) > 0 ? reported : counted;
  const output = outputTokens(reported) > 0 ? reported : counted;
  return {
    inputTextTokens: input.inputTextTokens,
    inputImageTokens: input.inputImageTokens,
    inputAudioTokens: input.inputAudioTokens,
    outputTextTokens: output.outputTextTokens,
    outputImageTokens: output.outputImageTokens,
    outputAudioTokens: output.outputAudioTokens,
    images: counted.images,
    seconds: reported.seconds > 0 ? reported.seconds : counted.seconds,
    characters: reported.characters > 0 ? reported.characters : counted.characters,
    source: 'estimate',
  };
}
