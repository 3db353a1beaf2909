import { describeFiles } from '../clients/files.conformance';
import { describeFormLimits } from '../clients/form-limits.conformance';
import type { ClientHouse } from '../house/client-house';
import { startClientHouse } from '../house/start-client-house';

describe('forms', () => {
  let started: Promise<ClientHouse> | undefined;
  const open = async (): Promise<ClientHouse> => ({ ...(await (started ??= startClientHouse())), stop: () => Promise.resolve() });
  afterAll(async () => (await started)?.stop());

  describe('and the files they bring', () => describeFiles(open));
  describe('within limits', () => describeFormLimits(open));
});
