import type { Answer, Piece } from './plan-reply';

type Call = { index: number; id: string; type: string; name: string; text: string; isCustom: boolean };

/** The answer as one chat completion. */
export function encodeAnswer(answer: Answer, hidesUsage: boolean): string {
  const message = encodeMessage(answer.pieces);
  return JSON.stringify({
    id: answer.id,
    object: 'chat.completion',
    created: answer.createdAtSeconds,
    model: answer.model,
    choices: Array.from({ length: answer.choices }, (_, index) => ({
      index,
      message,
      finish_reason: answer.finish,
      ...stopOf(answer),
      logprobs: null,
    })),
    ...(hidesUsage ? {} : { usage: encodeUsage(answer) }),
  });
}

/** As vLLM reports the sequence that was met; OpenAI has no member for it. */
function stopOf({ stop }: Answer): { readonly stop_reason?: string } {
  return stop === undefined ? {} : { stop_reason: stop };
}

function encodeMessage(pieces: readonly Piece[]): unknown {
  const calls: Call[] = [];
  let text = '';
  for (const piece of pieces) {
    if (piece.kind === 'text') text += piece.text;
    else if (piece.kind === 'call')
      calls.push({ index: piece.index, id: piece.call.id, type: '', name: piece.call.name, text: '', isCustom: piece.call.isCustom });
    else (calls[piece.index] as Call).text += piece.text;
  }
  if (calls.length === 0) return { role: 'assistant', content: text, refusal: null };
  const toolCalls = calls.map(({ id, name, text: reported, isCustom }) =>
    isCustom
      ? { id, type: 'custom', custom: { name, input: reported } }
      : { id, type: 'function', function: { name, arguments: reported } },
  );
  return { role: 'assistant', content: null, refusal: null, tool_calls: toolCalls };
}

function encodeUsage(answer: Answer): unknown {
  const completion = answer.pieces.length * answer.choices;
  return {
    prompt_tokens: answer.promptTokens,
    completion_tokens: completion,
    total_tokens: answer.promptTokens + completion,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
}

/** The answer as the frames of a stream, one at a time: undefined after the last. */
export function createFrameSource(answer: Answer, reportsUsage: boolean): () => string | undefined {
  const head = `data: {"id":"${answer.id}","object":"chat.completion.chunk","created":${answer.createdAtSeconds},"model":${JSON.stringify(answer.model)}`;
  const tail = reportsUsage ? ',"usage":null}\n\n' : '}\n\n';
  const frame = (choice: number, delta: string, finish: string | null): string =>
    `${head},"choices":[{"index":${choice},"delta":${delta},"logprobs":null,"finish_reason":${finish === null ? 'null' : `"${finish}"${stop}`}}]${tail}`;
  const stop = answer.stop === undefined ? '' : `,"stop_reason":${JSON.stringify(answer.stop)}`;
  /** -1 is the frame with the role, `pieces.length` the one with the finish reason. */
  let piece = -1;
  let choice = 0;
  let rest = 0;
  return () => {
    if (choice < answer.choices) {
      const at = piece;
      const index = choice;
      piece += 1;
      if (at === answer.pieces.length) {
        piece = -1;
        choice += 1;
        return frame(index, '{}', answer.finish);
      }
      return frame(index, at === -1 ? '{"role":"assistant","content":""}' : encodeDelta(answer.pieces[at] as Piece), null);
    }
    rest += 1;
    if (rest === 1 && reportsUsage) return `${head},"choices":[],"usage":${JSON.stringify(encodeUsage(answer))}}\n\n`;
    return rest === (reportsUsage ? 2 : 1) ? 'data: [DONE]\n\n' : undefined;
  };
}

function encodeDelta(piece: Piece): string {
  if (piece.kind === 'text') return `{"content":${JSON.stringify(piece.text)}}`;
  const { index, call } = piece;
  const part = call.isCustom ? 'custom' : 'function';
  const field = call.isCustom ? 'input' : 'arguments';
  if (piece.kind === 'arguments') return `{"tool_calls":[{"index":${index},"${part}":{"${field}":${JSON.stringify(piece.text)}}}]}`;
  return `{"tool_calls":[{"index":${index},"id":"${call.id}","type":"${part}","${part}":{"name":${JSON.stringify(call.name)},"${field}":""}}]}`;
}
