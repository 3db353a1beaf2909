const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether JSON text nests no deeper than `depthMax`, in one pass and without recursion, so that it can be asked before
 * anything recursive touches the text. Text that is no JSON gets some answer; the parser refuses it afterwards.
 */
export function hasBoundedDepth(text: string, depthMax: number): boolean {
  let depth = 0;
  for (let position = 0; position < text.length; position += 1) {
    const code = text.charCodeAt(position);
    if (code === QUOTE) {
      position = closingQuote(text, position);
      if (position === -1) return true;
    } else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > depthMax) return false;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return true;
}

function closingQuote(text: string, open: number): number {
  let quote = text.indexOf('"', open + 1);
  while (quote !== -1) {
    let backslashes = 0;
    for (let before = quote - 1; text.charCodeAt(before) === BACKSLASH; before -= 1) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
    quote = text.indexOf('"', quote + 1);
  }
  return -1;
}
