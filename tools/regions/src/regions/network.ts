import type { Random } from '../random';
import type { VirtualTime } from '../virtual-time';

/** How messages fare at a moment. */
type Weather = { readonly loss: number; readonly twice: number; readonly slow: number };

export const FAIR: Weather = { loss: 0.03, twice: 0.03, slow: 0.01 };
export const FOUL: Weather = { loss: 0.4, twice: 0.2, slow: 0.1 };

const DELAY_MS = { min: 5, max: 120 } as const;
const SLOW_MS = { min: 500, max: 8_000 } as const;

/** Between the home region and the others: messages are lost, come twice, late and in any order. */
export class Network {
  weather: Weather = FAIR;
  /** Regions that are cut off from home. What is on its way when that begins may still arrive. */
  readonly cutOff = new Set<string>();

  constructor(
    private readonly time: VirtualTime,
    private readonly random: Random,
  ) {}

  send(region: string, deliver: () => void): void {
    const { loss, twice, slow } = this.weather;
    for (let copies = this.random.chance(twice) ? 2 : 1; copies > 0; copies -= 1) {
      const range = this.random.chance(slow) ? SLOW_MS : DELAY_MS;
      const delayMs = this.random.integer(range.min, range.max);
      if (!this.cutOff.has(region) && !this.random.chance(loss)) this.time.after(delayMs, deliver);
    }
  }
}
