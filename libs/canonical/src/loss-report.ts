/** What a translation could not carry over exactly: reported to the caller in response headers, or refused in strict mode. */
export type LossReport = {
  /** Names of request fields the target has no word for. */
  readonly dropped: Set<string>;
  /** Names of request fields the target expresses only roughly. */
  readonly approximated: Set<string>;
};

export function createLossReport(): LossReport {
  return { dropped: new Set(), approximated: new Set() };
}
