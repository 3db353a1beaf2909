import type { ScopeConfirmation } from '@weir/limits';
import type { ModelLimit } from './hold-model-limits.conformance';

/** What one request was let in for. */
export type ModelRequest = {
  readonly holdId: string;
  readonly writer: number;
  readonly limits: readonly ModelLimit[];
  readonly scopes: readonly string[];
  /** Held in each of the scopes. */
  readonly amounts: readonly bigint[];
  /** `dead`: its process is gone, and a journal may know it; `orphan`: no journal does. */
  state: 'running' | 'dead' | 'orphan' | 'ended' | 'committed';
  spent: readonly bigint[];
};

type Base = { readonly base: bigint; readonly version: bigint };

const NOTHING: Base = { base: 0n, version: 0n };

/** Counts by hand what is really taken of every scope, and what is committed of it. */
export class HoldOracle {
  private readonly taken = new Map<string, bigint>();
  private readonly bases = new Map<string, Base>();

  takenOf(scopes: readonly string[]): bigint {
    return scopes.reduce((sum, scope) => sum + (this.taken.get(scope) ?? 0n), 0n);
  }

  baseOf(scope: string): Base {
    return this.bases.get(scope) ?? NOTHING;
  }

  scopes(): readonly string[] {
    return [...this.taken.keys()];
  }

  letIn({ scopes, amounts }: ModelRequest): void {
    scopes.forEach((scope, index) => this.add(scope, amounts[index] ?? 0n));
  }

  /** What runs at a moment runs no more; of an orphan nothing is ever spent. */
  die(request: ModelRequest, state: 'dead' | 'orphan'): void {
    request.state = state;
    this.eachOf(request, (scope, held, { isRunning }) => {
      if (isRunning || state === 'orphan') this.add(scope, -held);
    });
  }

  /** `share` of a hundred of what was held is spent. */
  end(request: ModelRequest, share: number): void {
    const wasRunning = request.state === 'running';
    request.state = 'ended';
    request.spent = request.amounts.map((held, index) => {
      const { isRunning, unit } = request.limits[index] as ModelLimit;
      return isRunning ? 0n : (((held / unit) * BigInt(share) * unit) / 100n / unit) * unit;
    });
    this.eachOf(request, (scope, held, { isRunning }, index) => {
      if (!isRunning || wasRunning) this.add(scope, (request.spent[index] ?? 0n) - held);
    });
  }

  commit(request: ModelRequest): ScopeConfirmation[] {
    request.state = 'committed';
    return request.scopes.map((scope, index) => {
      const { base, version } = this.baseOf(scope);
      const next = { base: base + (request.spent[index] ?? 0n), version: version + 1n };
      if (request.limits[index]?.isRunning !== true) this.bases.set(scope, next);
      return { scope, ...this.baseOf(scope), holdIds: [request.holdId] };
    });
  }

  private eachOf(request: ModelRequest, visit: (scope: string, held: bigint, limit: ModelLimit, index: number) => void): void {
    request.scopes.forEach((scope, index) => visit(scope, request.amounts[index] ?? 0n, request.limits[index] as ModelLimit, index));
  }

  private add(scope: string, amount: bigint): void {
    this.taken.set(scope, (this.taken.get(scope) ?? 0n) + amount);
  }
}
