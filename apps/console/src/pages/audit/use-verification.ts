import { useRef, useState } from 'react';
import { api, toApiError, unwrap, type Schemas } from '../../api';

type Step = Schemas['AuditVerification']['verification'];

export type Verification = {
  readonly isRunning: boolean;
  readonly entries: number;
  readonly upTo: Step['up_to'];
  readonly firstBroken: Step['first_broken'];
  /** Known once the last step is done. */
  readonly missing: number | null;
  readonly hasNewest: boolean | null;
  readonly verifiedAt: string | undefined;
  readonly error: string | undefined;
};

const NOTHING: Verification = {
  isRunning: true,
  entries: 0,
  upTo: null,
  firstBroken: null,
  missing: null,
  hasNewest: null,
  verifiedAt: undefined,
  error: undefined,
};

/** Goes through the whole log, step by step, from its first entry. */
export function useVerification() {
  const [state, setState] = useState<Verification>();
  const running = useRef<AbortController>(undefined);
  const stop = (): void => {
    running.current?.abort();
    setState((old) => old && { ...old, isRunning: false });
  };
  const start = async (): Promise<void> => {
    const { signal } = (running.current = new AbortController());
    let known = NOTHING;
    setState(known);
    try {
      for (let cursor: string | null | undefined; cursor !== null && !signal.aborted;) {
        const query = cursor === undefined ? {} : { cursor };
        const reply: Schemas['AuditVerification'] = await unwrap(api.GET('/v1/manage/audit/verification', { params: { query }, signal }));
        known = addStep(known, reply);
        cursor = reply.next;
        if (!signal.aborted) setState(known);
      }
    } catch (error) {
      if (!signal.aborted) setState({ ...known, isRunning: false, error: toApiError(error).message });
    }
  };
  return { state, start: () => void start(), stop };
}

function addStep(known: Verification, { verification: step, next }: Schemas['AuditVerification']): Verification {
  return {
    isRunning: next !== null,
    entries: known.entries + step.entries,
    upTo: step.up_to ?? known.upTo,
    firstBroken: known.firstBroken ?? step.first_broken,
    missing: step.missing,
    hasNewest: step.has_newest,
    verifiedAt: step.verified_at,
    error: undefined,
  };
}

export function isWhole({ firstBroken, missing, hasNewest }: Verification): boolean {
  return firstBroken === null && missing === 0 && hasNewest === true;
}
