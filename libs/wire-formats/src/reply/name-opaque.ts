import type { OpaqueBlock } from '@weir/canonical';

const PLAIN_NAME = /^[a-z][a-z_]{0,60}$/;

/** The name of the loss of a block that only its own dialect knows. */
export function nameOpaque({ raw }: OpaqueBlock): string {
  const type = (raw as { type?: unknown } | null)?.type;
  return `reply.${typeof type === 'string' && PLAIN_NAME.test(type) ? type : 'content'}`;
}
