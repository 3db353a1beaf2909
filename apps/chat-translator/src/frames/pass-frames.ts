import { FramePattern } from '@weir/providers';
import { EditedBytes } from './edited-bytes';
import { InBandError } from './express-tap';
import { NULL_USAGE } from './null-usage';
import { endOfFrame } from './split-frames';

const LINE_END = /[\r\n]/;

/** What the tap of a dialect does with the frames of a stream. */
export type FrameRules = {
  /** The members whose values differ from frame to frame. */
  readonly varying: readonly string[];
  /** Whether a usage of null is left out: clients with strict types know an object or nothing. */
  readonly leavesOutNullUsage: boolean;
  /** Looks at a frame, its bytes as latin1; true where it has to be read. */
  concerns(frame: string): boolean;
  /** What to send in place of a frame that concerns us. */
  edit(frame: string): string | InBandError;
};

/**
 * Passes whole frames on as the bytes that came. A frame is looked at unless it is like the one before it in all but a few
 * values, and read only where it concerns us.
 */
export class FramePasser {
  /** How many frames came; the one that reports a failure is not counted. */
  frames = 0;
  private readonly pattern: FramePattern;
  /** Where a usage of null stands in frames of the pattern, counted from their end; 0 where there is none. */
  private nullUsageAt = 0;

  constructor(private readonly rules: FrameRules) {
    this.pattern = new FramePattern(rules.varying);
  }

  /** The very same buffer when there is nothing to change. Throws the failure that a frame reports, with everything before it. */
  pass(bytes: Buffer): Buffer {
    const text = bytes.toString('latin1');
    const edited = new EditedBytes(bytes, text);
    for (let start = 0, end; start < text.length; start = end) {
      end = this.pattern.match(text, start);
      if (end === -1) end = this.look(text, start, edited);
      else {
        this.frames += 1;
        if (this.nullUsageAt === 0) continue;
        const at = end - this.nullUsageAt;
        edited.leaveOut(at, at + NULL_USAGE.length);
      }
    }
    return edited.take();
  }

  /** Looks at the frame that begins at `start`; returns where it ends. */
  private look(text: string, start: number, edited: EditedBytes): number {
    const end = endOfFrame(text, start);
    // Blank lines alone are no frame.
    if (LINE_END.test(text.charAt(start))) return end;
    const frame = text.slice(start, end);
    if (this.rules.concerns(frame)) {
      const result = this.rules.edit(Buffer.from(frame, 'latin1').toString('utf8'));
      if (result instanceof InBandError) throw new InBandError(result.body, edited.take(start).toString('utf8'));
      edited.replace(start, end, result);
      this.frames += 1;
      return end;
    }
    this.frames += 1;
    const at = this.rules.leavesOutNullUsage ? frame.indexOf(NULL_USAGE) : -1;
    if (at !== -1) leaveOutAll(frame, start, edited);
    this.learn(frame, at);
    return end;
  }

  private learn(frame: string, nullUsage: number): void {
    const { pattern } = this;
    this.nullUsageAt = nullUsage === -1 ? 0 : frame.length - nullUsage;
    if (!pattern.learn(frame) || nullUsage === -1) return;
    const isLast = pattern.tail().length >= this.nullUsageAt && frame.lastIndexOf(NULL_USAGE) === nullUsage;
    if (!isLast) pattern.forget();
  }
}

function leaveOutAll(frame: string, start: number, edited: EditedBytes): void {
  for (let at = frame.indexOf(NULL_USAGE); at !== -1; at = frame.indexOf(NULL_USAGE, at + NULL_USAGE.length))
    edited.leaveOut(start + at, start + at + NULL_USAGE.length);
}
