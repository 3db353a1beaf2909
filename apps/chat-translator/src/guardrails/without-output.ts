import type { ChatDialect } from '@weir/contracts';
import { setNested, splitFrame } from '../frames/edit-nested';

/** An in-band error that does not repeat the reply before it: part of that may be what was refused. */
export function withoutOutput(failure: string, dialect: ChatDialect): string {
  if (dialect !== 'responses') return failure;
  return failure
    .split(/(?<=\n\n)/)
    .map((frame) => {
      const parts = splitFrame(frame);
      return parts === undefined ? frame : `${parts.head}data: ${setNested(parts.data, ['response', 'output'], '[]')}\n\n`;
    })
    .join('');
}
