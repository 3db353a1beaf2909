/** Spaces pieces of bytes out so that a rate is kept. */
export class Throttle {
  private freeAt = 0;

  /** Takes capacity for so many bytes and returns how long they have to wait, in milliseconds. */
  reserve(bytes: number, bytesPerSecond: number, now = performance.now()): number {
    this.freeAt = Math.max(this.freeAt, now) + (bytes * 1000) / bytesPerSecond;
    return this.freeAt - now;
  }
}
