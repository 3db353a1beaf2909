/** How the provider replies from now on; crosses a process boundary. */
export type ReplyPlan = {
  /** Content frames of a stream. */
  readonly frames: number;
  /** Of streams that go on until there is another plan: one frame in so many milliseconds. Otherwise all frames come at once. */
  readonly everyMs?: number;
};
