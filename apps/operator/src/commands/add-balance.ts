import { randomUUID } from 'node:crypto';
import type { CreditKind } from '@weir/database';
import { formatUsd, parseUsd } from '@weir/pricing';
import { UsageError, type Command } from '../command';

const KINDS: readonly CreditKind[] = ['top_up', 'gift', 'promotion', 'refund', 'adjustment'];

export const addBalance: Command = {
  words: 'balance add',
  summary: 'Moves money into an organization\u2019s balance (out of it: refund, or an adjustment below zero), by double entry.',
  options: [
    { name: 'organization', value: 'ID', meaning: 'whose balance', isRequired: true },
    { name: 'amount', value: 'USD', meaning: 'a decimal number with at most twelve places', isRequired: true },
    { name: 'kind', value: 'KIND', meaning: `${KINDS.join(', ')}; top_up unless told` },
    { name: 'expires-at', value: 'TIME', meaning: 'RFC 3339; of gifts and promotions, never unless told' },
    { name: 'note', value: 'TEXT', meaning: 'why, or the payment it came from' },
    { name: 'idempotency-key', value: 'TEXT', meaning: 'repeating the command with the same one posts nothing more; made up unless told' },
  ],
  run: async ({ options }, { open }) => {
    const kind = readKind(options['kind'] ?? 'top_up');
    const idempotencyKey = options['idempotency-key'] ?? randomUUID();
    const credit = {
      organizationId: options['organization'] ?? '',
      kind,
      amountPico: readAmount(options['amount'] ?? ''),
      idempotencyKey,
      expiresAtMs: readTime(options['expires-at']),
      note: options['note'] ?? null,
    };
    const { door, isBalanceRequired } = await open();
    const { transactionId, isNew, balance } = await door.addBalance({ ...credit, isBalanceRequired });
    return {
      transaction_id: transactionId,
      is_new: isNew,
      idempotency_key: idempotencyKey,
      balance: formatUsd(balance.totalPico),
      cash: formatUsd(balance.cashPico),
      gift: formatUsd(balance.giftPico),
      promotion: formatUsd(balance.promotionPico),
    };
  },
};

function readKind(text: string): CreditKind {
  const kind = KINDS.find((known) => known === text);
  if (kind === undefined) throw new UsageError(`--kind is one of ${KINDS.join(', ')}, not "${text}".`);
  return kind;
}

function readAmount(text: string): bigint {
  try {
    return parseUsd(text);
  } catch (error) {
    throw new UsageError(`--amount takes a decimal number with at most twelve places, not "${text}".`, { cause: error });
  }
}

function readTime(text: string | undefined): number | null {
  if (text === undefined) return null;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new UsageError(`--expires-at takes a time such as 2027-01-31T00:00:00Z, not "${text}".`);
  return ms;
}
