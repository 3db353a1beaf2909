import { wordBit } from '@weir/canonical';
import { DOUBLED, NameBook, TOO_LONG, type NameRule } from './name-book';
import { TextReader, type HalfUse } from './text-reader';

/** What a JSON text may hold at most. */
export type JsonBounds = {
  readonly depthMax: number;
  /** Objects and lists together. */
  readonly containersMax: number;
  /** Of one object. */
  readonly objectMembersMax: number;
  /** All that it holds, each by what it costs to be parsed: see WEIGHTS. */
  readonly weightMax: number;
  readonly nameBytesMax: number;
  /** Of names within the caller's own JSON. */
  readonly freeNameBytesMax: number;
  readonly numberBytesMax: number;
};

/** Why a text is refused. `path` says where, as `messages[3].content[0]`; of a doubled member its own place. */
export type JsonFault = {
  readonly kind: 'depth' | 'containers' | 'weight' | 'object' | 'name' | 'free_name' | 'number' | 'doubled';
  readonly path: string;
};

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
/** From here on a text is long: making a string of it costs more than all that is asked of it on the way through. */
export const LONG_TEXT_BYTES = 8_192;
/** Words that are looked for are shorter. */
const WORD_BYTES = 16;
/** Members whose text nothing is decided by. */
const LONG_TEXT_NAMES = ['content', 'text'].map((name) => Buffer.from(name));

/**
 * Members that hold JSON of the caller's own (schemas of tools and of replies, arguments of calls). It goes on as it is, and
 * nothing is decided by it, so that a member may come twice in there.
 */
const FREE_FORM = ['parameters', 'input_schema', 'schema', 'input', 'arguments'].map((name) => Buffer.from(name));
/** `input` of a whole request is no argument of a call. */
const FREE_FORM_DEPTH_MIN = 3;
/** What things cost the parser, and all who work on what it makes; measured, and rounded. A list's first element comes with the list. */
const WEIGHTS = { element: 1, member: 2, string: 3, container: 3 } as const;
const NO_BYTES = Buffer.alloc(0);

/** A long text, sound to its end, by where its bytes stand (without the quotes) and by the way to it. */
export type LongText = { readonly start: number; readonly end: number; readonly path: readonly (string | number)[] };

/**
 * Reads the bytes of a JSON text once, before anything else does: how deep it nests, how much it holds, and whether an object
 * names a member twice, however the name is written. It makes nothing for the bytes of an ordinary text, does not recurse, and may be
 * run in parts: a large text is read a slice at a time. Text that is no JSON gets some answer; the parser refuses it afterwards.
 */
export class JsonScan {
  fault: JsonFault | undefined;
  containers = 0;
  weight = 0;
  /** Of the members of the outermost object: where the name begins, what is behind it, and what ends the member; flat. */
  members: number[] = [];
  longTexts: LongText[] = [];
  /** The bits of all short values. */
  words = 0;

  private bytes: Buffer = NO_BYTES;
  private position = 0;
  /** Behind what was last taken: only numbers, words and white space are between it and `position`. */
  private gapFrom = 0;
  private depth = 0;
  private isName = false;
  private isInString = false;
  private stringFrom = 0;
  /** Whether what is open at a depth is an object. */
  private readonly areObjects: Uint8Array;
  /** Which element of the list, or how many members of the object, that is open at a depth. */
  private readonly indexes: Int32Array;
  /** The depth from which on all is free form. */
  private freeFrom = Infinity;
  private readonly names: NameBook;
  private readonly texts: TextReader;
  private readonly ownNames: NameRule;
  private readonly freeNames: NameRule;

  constructor(
    private readonly bounds: JsonBounds,
    halves: HalfUse = 'kept',
  ) {
    const depths = bounds.depthMax + 1;
    this.areObjects = new Uint8Array(depths);
    this.indexes = new Int32Array(depths);
    this.names = new NameBook(depths, halves);
    this.texts = new TextReader(halves);
    this.ownNames = { bytesMax: bounds.nameBytesMax, isFree: false };
    this.freeNames = { bytesMax: bounds.freeNameBytesMax, isFree: true };
  }

  /** Begins with another text. */
  start(bytes: Buffer): this {
    this.fault = undefined;
    this.bytes = bytes;
    this.position = this.gapFrom = this.depth = this.containers = this.weight = 0;
    this.isName = this.isInString = false;
    this.freeFrom = Infinity;
    this.members = [];
    this.longTexts = [];
    this.words = 0;
    this.names.start(bytes);
    this.texts.start(bytes);
    return this;
  }

  /** Goes on until about `until`; true when the text is at its end or a fault was found. */
  run(until = Infinity): boolean {
    const { bytes } = this;
    const end = Math.min(until, bytes.length);
    if (this.isInString) {
      this.skipString(end);
      this.gapFrom = this.position;
    }
    let at = this.position;
    while (at < end && this.fault === undefined) {
      const byte = bytes[at] as number;
      at += 1;
      if (byte <= SPACE || (byte > COMMA && byte < OPEN_BRACKET)) continue;
      if (at - this.gapFrom > this.bounds.numberBytesMax) this.checkGap(at - 1);
      this.position = at;
      this.take(byte, end);
      this.gapFrom = at = this.position;
    }
    this.position = at;
    return this.fault !== undefined || at >= bytes.length;
  }

  /** White space may be long, a number or a word may not. */
  private checkGap(end: number): void {
    let length = 0;
    for (let at = this.gapFrom; at < end; at += 1) {
      length = (this.bytes[at] as number) <= SPACE ? 0 : length + 1;
      if (length > this.bounds.numberBytesMax) return this.refuse('number');
    }
  }

  /** Takes what begins, ends or divides; `position` is behind it. */
  private take(byte: number, end: number): void {
    switch (byte) {
      case QUOTE:
        if (this.isName) return this.readName();
        this.weigh(WEIGHTS.string);
        this.stringFrom = this.position;
        this.texts.isSound = true;
        return this.skipString(end);
      case COMMA:
        if (this.areObjects[this.depth] === 0) return this.countElement();
        this.isName = true;
        if (this.depth === 1) this.members.push(this.position - 1);
        return;
      case OPEN_BRACE:
        return this.open(1);
      case OPEN_BRACKET:
        return this.open(0);
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        this.close();
    }
  }

  private open(isObject: 0 | 1): void {
    const holder = this.depth;
    if (holder === this.bounds.depthMax) return this.refuse('depth');
    this.containers += 1;
    this.weigh(WEIGHTS.container);
    if (this.containers > this.bounds.containersMax) return this.refuse('containers');
    if (holder >= FREE_FORM_DEPTH_MIN && holder < this.freeFrom && this.areObjects[holder] === 1 && this.isFreeForm(holder)) {
      this.freeFrom = holder + 1;
    }
    this.depth = holder + 1;
    this.areObjects[this.depth] = isObject;
    this.indexes[this.depth] = 0;
    this.isName = isObject === 1;
    if (isObject === 1) this.names.open(this.depth);
  }

  private close(): void {
    if (this.depth === 0) return;
    if (this.depth === 1 && this.members.length % 3 === 2) this.members.push(this.position - 1);
    this.depth -= 1;
    if (this.depth < this.freeFrom) this.freeFrom = Infinity;
    this.isName = false;
  }

  private isFreeForm(depth: number): boolean {
    return FREE_FORM.some((name) => this.names.isLast(depth, name));
  }

  private countElement(): void {
    this.indexes[this.depth] = (this.indexes[this.depth] ?? 0) + 1;
    this.weigh(WEIGHTS.element);
  }

  private readName(): void {
    this.isName = false;
    const { depth, bounds, indexes } = this;
    this.weigh(WEIGHTS.member);
    indexes[depth] = (indexes[depth] as number) + 1;
    if ((indexes[depth] as number) > bounds.objectMembersMax) return this.refuse('object');
    const rule = depth < this.freeFrom ? this.ownNames : this.freeNames;
    const next = this.names.read(depth, this.position, rule);
    if (next === TOO_LONG) return this.refuse(rule.isFree ? 'free_name' : 'name');
    if (next === DOUBLED) return this.refuse('doubled');
    if (depth === 1) this.members.push(this.position - 1, next);
    this.position = next;
  }

  /** Goes behind the quote that ends the string, or about to `end` where that comes first. */
  private skipString(end: number): void {
    const at = this.texts.findEnd(this.position, end);
    this.isInString = at >= end;
    this.position = this.isInString ? at : at + 1;
    if (this.isInString) return;
    const length = at - this.stringFrom;
    if (length < WORD_BYTES) this.words |= wordBit(this.bytes[this.stringFrom] as number, length);
    else if (length >= LONG_TEXT_BYTES) this.noteLongText(at);
  }

  private noteLongText(end: number): void {
    const { depth } = this;
    if (!this.texts.isSound || depth >= this.freeFrom || this.areObjects[depth] === 0) return;
    if (LONG_TEXT_NAMES.some((name) => this.names.isLast(depth, name)))
      this.longTexts.push({ start: this.stringFrom, end, path: this.listPath() });
  }

  private weigh(weight: number): void {
    this.weight += weight;
    if (this.weight > this.bounds.weightMax) this.refuse('weight');
  }

  private refuse(kind: JsonFault['kind']): void {
    // Only a doubled name is shown: another is not at fault, or is too long.
    this.fault = { kind, path: this.describePath(kind === 'doubled' ? this.depth : this.depth - 1) };
  }

  /** Names and indexes down to where the scan is. */
  private listPath(): (string | number)[] {
    const path: (string | number)[] = [];
    for (let level = 1; level <= this.depth; level += 1) {
      path.push(this.areObjects[level] === 0 ? (this.indexes[level] as number) : this.names.readLast(level));
    }
    return path;
  }

  /** Down to the last name or element at `depth`. */
  private describePath(depth: number): string {
    let path = '';
    for (let level = 1; level <= depth; level += 1) {
      if (this.areObjects[level] === 0) path += `[${this.indexes[level] ?? 0}]`;
      else {
        const name = this.names.showLast(level);
        path += path === '' ? name : `.${name}`;
      }
    }
    return path;
  }
}
