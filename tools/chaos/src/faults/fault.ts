import type { FailPointName } from '@weir/contracts';
import type { ServiceName } from '@weir/gateway-e2e';
import type { ProxyMode } from '@weir/testing';
import type { PartName } from '../parts/start-breakable-parts';

type Line = PartName | 'provider';

/** One thing that goes wrong, and for how long. All of them end, so that the system can come to rest. */
export type Fault =
  | { readonly kind: 'kill-service'; readonly service: ServiceName; readonly downMs: number }
  | { readonly kind: 'freeze-service'; readonly service: ServiceName; readonly ms: number }
  | { readonly kind: 'kill-part'; readonly part: PartName; readonly downMs: number }
  | { readonly kind: 'spoil-line'; readonly line: Line; readonly mode: ProxyMode; readonly ms: number }
  | {
      readonly kind: 'fail-point';
      readonly service: 'chat-translator' | 'usage-aggregator';
      readonly point: FailPointName;
      readonly action: 'kill' | 'eio';
      readonly nth: number;
    };

export type TimedFault = { readonly atMs: number; readonly fault: Fault };

export function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case 'kill-service':
      return `kill -9 ${fault.service}, back after ${fault.downMs} ms`;
    case 'freeze-service':
      return `freeze ${fault.service} for ${fault.ms} ms`;
    case 'kill-part':
      return `kill -9 ${fault.part}, back after ${fault.downMs} ms`;
    case 'spoil-line':
      return `${fault.mode.kind} on the line to ${fault.line} for ${fault.ms} ms`;
    case 'fail-point':
      return `${fault.point}:${fault.action}@${fault.nth} in ${fault.service}`;
  }
}
