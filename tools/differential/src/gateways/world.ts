/** Whom requests are sent as. */
export type KeyName =
  | 'plain'
  | 'four'
  | 'poor'
  | 'expired'
  | 'revoked'
  | 'reader'
  | 'idle'
  | 'listed'
  | 'rated'
  | 'flagging'
  | 'masking'
  | 'blocking'
  | 'clamped'
  | 'zero'
  | 'resident'
  | 'charged'
  | 'own'
  | 'broke'
  | 'free';

/** What both gateways were given before the first request. */
export type World = {
  readonly keys: ReadonlyMap<KeyName, string>;
  /** Of the administrators of organizations other than the main one, by the name of the organization's key. */
  readonly administrators: ReadonlyMap<KeyName, string>;
  /** What each generated text stands for: ids, keys, addresses. */
  readonly names: ReadonlyMap<string, string>;
};
