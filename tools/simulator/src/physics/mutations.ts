/**
 * Ways to break the money path that the simulator has to find. Each is a switch in what surrounds the product (its disks, its
 * stores, its bus); the product's code is as it is.
 */
export const MUTATIONS = {
  'settle-twice': 'a hold is settled under a second name as well',
  'drop-seen-mark': 'the database forgets which sequences of a journal it has counted',
  'ship-before-fsync': 'a disk reports bytes as synced that it does not have',
  'refund-on-timeout': 'a hold is given back where its provider is slow, although the request runs on',
  'forget-begin': 'an attempt that a crash cut short is not closed',
  'trim-too-early': 'watermarks run ahead of what is committed',
  'ack-before-commit': 'the database reports a commit that it has not made',
  'expire-too-early': 'counters give expired holds back without waiting for the journals',
  'add-outside-transaction': 'spend of a month is added although its transaction fails',
  'forget-base': 'counters are seeded as if nothing had been spent',
  'charge-twice': 'an event is put on the bus a second time under a sequence of its own',
} as const;

export type Mutation = keyof typeof MUTATIONS;
