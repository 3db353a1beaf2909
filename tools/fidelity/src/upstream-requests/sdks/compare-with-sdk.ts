import type { ChatDialect } from '@weir/contracts';
import type { Conversation } from '../corpus/conversation';
import { encodeInDialect } from '../corpus/encode-in-dialect';
import type { LaneRunner } from '../run-lane';
import { KNOWN_DIFFERENCES, type Compared, type KnownDifference } from './known-differences';
import { normalise } from './normalisations';
import { listDifferences } from './list-differences';
import { recordRequest, type VendorSdk } from './vendor-sdks';

export type SdkComparison = {
  readonly sdk: VendorSdk;
  /** Bodies that both sides could write. */
  readonly compared: number;
  readonly equal: number;
  /** Names of the harmless differences that were met. */
  readonly normalised: ReadonlySet<string>;
  readonly failures: readonly Compared[];
  readonly explained: readonly { readonly compared: Compared; readonly by: KnownDifference }[];
};

/** Sends the same conversations through a vendor's SDK and the gateway, and lists where the bodies differ. */
export async function compareWithSdk(sdk: VendorSdk, conversations: readonly Conversation[], runner: LaneRunner): Promise<SdkComparison> {
  const failures: Compared[] = [];
  const explained: { compared: Compared; by: KnownDifference }[] = [];
  const normalised = new Set<string>();
  let compared = 0;
  let equal = 0;
  for (const { dialect, conversation } of listAsked(sdk, conversations)) {
    const request = await recordRequest(sdk, conversation);
    const ran = runner.run({ dialect, body: encodeInDialect(dialect, conversation, sdk.modelId) }, sdk.modelId);
    if (request === undefined || 'refused' in ran) continue;
    const differences = listDifferences(normalise(request, normalised), normalise(JSON.parse(ran.call.body.toString()), normalised));
    compared += 1;
    if (differences.length === 0) equal += 1;
    for (const difference of differences) {
      const one = { sdk, dialect, conversation: conversation.name, difference };
      const by = KNOWN_DIFFERENCES.find((known) => known.explains(difference, one));
      if (by === undefined) failures.push(one);
      else explained.push({ compared: one, by });
    }
  }
  return { sdk, compared, equal, failures, explained, normalised };
}

const MAX_TOKENS = 1024;

/** Each conversation in each dialect that has words for it. One dialect always says how long an answer may be. */
function listAsked(
  { dialects }: VendorSdk,
  conversations: readonly Conversation[],
): { dialect: ChatDialect; conversation: Conversation }[] {
  return dialects.flatMap((dialect) =>
    conversations
      .filter((conversation) => canSay(dialect, conversation))
      .map((conversation) => ({
        dialect,
        conversation: dialect === 'messages' ? { ...conversation, maxTokens: conversation.maxTokens ?? MAX_TOKENS } : conversation,
      })),
  );
}

function canSay(dialect: ChatDialect, { stop, seed, search }: Conversation): boolean {
  // Each SDK has options of its own for searches; the specs of each provider test those.
  if (search === true) return false;
  if (dialect === 'responses') return stop === undefined && seed === undefined;
  return dialect === 'chat-completions' || seed === undefined;
}
