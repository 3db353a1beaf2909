export type ChannelEdit = { readonly start: number; readonly end: number; readonly text: string; readonly isMask: boolean };

/** A text on its way through a screen, in pieces; places are counted from its beginning. */
export type Channel = {
  push(piece: string): void;
  end(): void;
  /** Nothing to come changes what becomes of the text before this place. */
  settled(): number;
  /** What became known since the last call, in order, nothing overlapping. */
  takeEdits(): ChannelEdit[];
};
