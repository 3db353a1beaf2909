import { describeFiles } from '../clients/files.conformance';
import { describeFormLimits } from '../clients/form-limits.conformance';
import type { ClientHarness } from '../harness/client-harness';
import { startClientHarness } from '../harness/start-client-harness';

describe('forms', () => {
  let started: Promise<ClientHarness> | undefined;
  const open = async (): Promise<ClientHarness> => ({ ...(await (started ??= startClientHarness())), stop: () => Promise.resolve() });
  afterAll(async () => (await started)?.stop());

  describe('and the files they bring', () => describeFiles(open));
  describe('within limits', () => describeFormLimits(open));
});
