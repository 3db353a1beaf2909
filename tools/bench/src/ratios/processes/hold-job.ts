/** What the process that holds streams is asked for, one after the other; each gets a reply. All cross a process boundary. */
export type HoldRequest =
  | ({ readonly kind: 'open' } & OpenJob)
  /** Looks for so long which streams get something. */
  | { readonly kind: 'watch'; readonly seconds: number }
  /** Waits at most so long until all have ended, then closes what is left. */
  | { readonly kind: 'end'; readonly seconds: number };

export type OpenJob = {
  readonly port: number;
  readonly key: string;
  readonly body: string;
  readonly streams: number;
  readonly perSecond: number;
};

export type HoldReply = {
  /** That were asked for and not refused, whether or not anything came. */
  readonly open: number;
  readonly refused: number;
  /** Since the request before: those that got nothing. */
  readonly silent: number;
  /** To the end marker. */
  readonly ended: number;
  readonly firstFault: string | undefined;
};
