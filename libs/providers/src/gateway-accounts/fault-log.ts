type FaultKind = 'file' | 'account';

export type FaultParts = {
  readonly log: {
    info(details: object, message: string): void;
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
  };
  /** How many of a kind cannot be read now. */
  readonly showFaults: (kind: FaultKind, count: number) => void;
};

export type FaultLog = {
  note(kind: FaultKind, name: string, error: unknown): void;
  clear(kind: FaultKind, name: string): void;
};

/** Logs once what is wrong and once that it is right again, however often it is looked at, and keeps the number for metrics. */
export function createFaultLog({ log, showFaults }: FaultParts): FaultLog {
  const faults = { file: new Map<string, string>(), account: new Map<string, string>() };
  return {
    note: (kind, name, error) => {
      const message = error instanceof Error ? error.message : String(error);
      if (faults[kind].get(name) === message) return;
      faults[kind].set(name, message);
      showFaults(kind, faults[kind].size);
      log.error(
        { [kind]: name, problem: message },
        `a provider’s ${kind === 'file' ? 'accounts' : 'account'} cannot be read; what was there before stays in force`,
      );
    },
    clear: (kind, name) => {
      if (!faults[kind].delete(name)) return;
      showFaults(kind, faults[kind].size);
      log.info({ [kind]: name }, 'what could not be read of accounts at providers can be read again');
    },
  };
}
