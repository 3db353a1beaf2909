import type { BuiltInDetector } from '@weir/contracts';
import type { Detector } from './detector';
import { cards } from './find-cards';
import { emails } from './find-emails';
import { ibans } from './find-ibans';
import { ipAddresses } from './find-ip-addresses';
import { nationalIds } from './find-national-ids';
import { phones } from './find-phones';
import { promptInjections } from './find-prompt-injections';
import { secrets } from './find-secrets';

/** Which detector a name of the management contracts means. */
export const BUILT_IN: Readonly<Record<BuiltInDetector, Detector>> = {
  secret: secrets,
  card: cards,
  iban: ibans,
  email: emails,
  national_id: nationalIds,
  phone: phones,
  ip_address: ipAddresses,
  prompt_injection: promptInjections,
};
