/** A data key as it is stored: readable only with the key-encryption key of that id. */
export type WrappedDataKey = {
  readonly id: string;
  readonly organizationId: string;
  readonly kekId: string;
  readonly wrapped: Uint8Array;
};

/** Where data keys are kept. Retired ones stay: they open what was sealed before. */
export type DataKeyStore = {
  /** The key an organization's secrets are sealed with now; stores the one of `offer` and returns it when there is none yet. */
  ensureActive(organizationId: string, offer: () => WrappedDataKey): Promise<WrappedDataKey>;
  /** Resolves to undefined for the key of another organization too. */
  find(organizationId: string, id: string): Promise<WrappedDataKey | undefined>;
};
