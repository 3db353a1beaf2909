import { performance } from 'node:perf_hooks';
import type { CuttingProxy, ProxyMode } from '@weir/testing';

const MODES: readonly ProxyMode[] = [{ kind: 'pass' }, { kind: 'refuse' }, { kind: 'pass' }, { kind: 'blackhole' }];
/** Connections come back within two seconds of a cut. */
const RECONNECT_MS = 2_500;

type Alternation = {
  /** Whether push worked from `fromMs` to `toMs` (`performance.now()`): it passed all the while, with its connections back. */
  workedBetween(fromMs: number, toMs: number): boolean;
  stop(): void;
};

/** Cuts push half the time: by refusing connections, then by swallowing what goes through them in silence. */
export function alternatePush(proxy: CuttingProxy, phaseMs: number): Alternation {
  const phases = [{ atMs: -Infinity, passes: true }];
  let turn = 0;
  const timer = setInterval(() => {
    turn += 1;
    const mode = MODES[turn % MODES.length] as ProxyMode;
    proxy.setMode(mode);
    phases.push({ atMs: performance.now(), passes: mode.kind === 'pass' });
  }, phaseMs);
  return {
    workedBetween: (fromMs, toMs) => {
      const at = phases.findLastIndex((phase) => phase.atMs <= fromMs);
      const phase = phases[at];
      const end = phases[at + 1]?.atMs ?? Infinity;
      return phase !== undefined && phase.passes && fromMs >= phase.atMs + RECONNECT_MS && toMs <= end;
    },
    stop: () => {
      clearInterval(timer);
      proxy.setMode({ kind: 'pass' });
    },
  };
}
