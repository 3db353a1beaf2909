import { cutAside, promptTokens, type Usage } from '@weir/canonical';
import { boundBeside, boundChoice, boundPrompt, boundSearches, findWindow, type BoundAttempt } from './bound-request';
import type { PromptMeasure } from './measure-prompt';
import type { AskedOutput } from './read-asked-output';

/** What bounds the usage of a chat request. Measured only where a reported count is not obviously small. */
export type ChatMost = {
  prompt(): PromptMeasure;
  asked(): AskedOutput;
  readonly model: Omit<BoundAttempt, 'prices'> & {
    /** It may bill output that it does not send. */
    readonly isReasoning: boolean;
  };
};

/** Every request is followed by a template of about this many tokens, so that fewer need no measuring. */
const PROMPT_TOKENS_SMALL = 256;
/** No tokenizer makes more tokens than there are bytes; the rest is for signs that a provider counts and does not send. */
const TOKENS_PER_BYTE = 2;

/**
 * A reported usage, no count of it larger than the request explains: of the prompt its bytes, its media, and what the
 * provider's own tools read; of the output what was asked for at most, else what the model can say at most or, of a model
 * that hides none of its output, twice the bytes that came. Returns the very same object where nothing has to be cut, as
 * an estimate otherwise.
 */
export function boundChatUsage(reported: Usage, most: ChatMost, receivedBytes: number): Usage {
  const prompt = promptTokens(reported);
  const promptMost = prompt <= PROMPT_TOKENS_SMALL ? prompt : boundReads(most);
  const outputMost = reported.output === 0 ? 0 : boundOutput(reported, most, receivedBytes);
  const searchesMost = reported.searches === 0 ? 0 : boundSearches(most.prompt(), most.model);
  if (prompt <= promptMost && reported.output <= outputMost && reported.searches <= searchesMost) return reported;
  const output = Math.min(reported.output, outputMost);
  const cut: Usage = {
    ...cutPrompt(reported, promptMost),
    output,
    reasoning: Math.min(reported.reasoning, output),
    audioOutput: Math.min(reported.audioOutput, output),
    searches: Math.min(reported.searches, searchesMost),
    source: 'estimate',
  };
  const aside = cutAside(reported, cut);
  return aside === undefined ? cut : { ...cut, aside };
}

/** Tokens of all choices together at most, and of what is written beside them, however much of the reply was received. */
export function boundWholeOutput(most: ChatMost): number {
  return boundChoices(most) + boundBeside(most.prompt(), most.asked(), most.model);
}

function boundChoices(most: ChatMost): number {
  const output = most.asked();
  return boundChoice(output, most.model) * output.choices;
}

function boundOutput(reported: Usage, most: ChatMost, receivedBytes: number): number {
  const choices = boundChoices(most);
  const { tokens, hidesOutput } = most.asked();
  const isOfReply = reported.output <= TOKENS_PER_BYTE * receivedBytes || tokens !== null;
  const isHidden = isOfReply || most.model.isReasoning || reported.reasoning > 0 || hidesOutput === true || most.prompt().isOpenEnded;
  if (!isHidden) return Math.min(choices, TOKENS_PER_BYTE * receivedBytes);
  // The prompt is only measured where the choices alone do not explain the count.
  return reported.output <= choices ? choices : boundWholeOutput(most);
}

/** With tools of its own a provider reads the context again after each use of one. */
function boundReads(most: ChatMost): number {
  const { model } = most;
  const measure = most.prompt();
  const isSearching = measure.searches === null && model.isSearching;
  const furtherReads = measure.contextReads - 1 + (isSearching ? 1 + boundSearches(measure, model) : 0);
  return boundPrompt(measure, model) + furtherReads * findWindow(model);
}

/** All buckets in the same proportion, so that what was cached stays so. */
function cutPrompt(reported: Usage, most: number): Usage {
  const prompt = promptTokens(reported);
  if (prompt <= most) return reported;
  const share = (count: number): number => Math.floor((count / prompt) * most);
  const [cacheRead, cacheWrite5m, cacheWrite1h] = [share(reported.cacheRead), share(reported.cacheWrite5m), share(reported.cacheWrite1h)];
  const inputUncached = most - cacheRead - cacheWrite5m - cacheWrite1h;
  const { isDoubtful: _isDoubtful, ...rest } = reported;
  return { ...rest, inputUncached, cacheRead, cacheWrite5m, cacheWrite1h, audioInput: Math.min(reported.audioInput, inputUncached) };
}

/** The same of embeddings, which have a prompt only. */
export function boundEmbeddingTokens(reported: number, { textTokens }: PromptMeasure): number {
  return Math.min(reported, textTokens);
}
