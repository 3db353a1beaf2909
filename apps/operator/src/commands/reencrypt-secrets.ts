import { reencryptSecrets as reencrypt } from '@weir/database';
import { createKeyRing } from '@weir/sealing';
import type { Command } from './command';
import { readYesOrNo } from './read-yes-or-no';

export const reencryptSecrets: Command = {
  words: 'secrets reencrypt',
  summary: 'Brings all sealed secrets under the first key of SEALING_KEY while the gateway runs. Can be stopped and repeated at any time.',
  options: [{ name: 'renew-data-keys', value: 'yes|no', meaning: 'also gives every organization a new data key; no by default' }],
  run: async (given, { open }) => {
    const renewDataKeys = readYesOrNo(given, 'renew-data-keys');
    const { database, readSealingKey } = await open();
    const keyRing = createKeyRing(readSealingKey());
    const { rewrapped, renewed, resealed } = await reencrypt({ pool: database.pool, keyRing, renewDataKeys });
    return { key_encryption_key: keyRing.activeId, rewrapped_data_keys: rewrapped, renewed_data_keys: renewed, resealed_secrets: resealed };
  },
};
