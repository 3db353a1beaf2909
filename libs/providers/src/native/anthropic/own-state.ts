import type { OpaqueState } from '@weir/canonical';

/** State goes back to who issued it. State in the dialect's own name came from a caller that speaks it natively. */
export function isOwnState(state: OpaqueState | undefined, family: string): state is OpaqueState {
  return state !== undefined && state.value !== '' && (state.family === family || state.family === 'messages');
}
