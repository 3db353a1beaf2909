import { listOf, UniqueViolation, type Statement, type Values } from './statements';
import type { View } from './tables';

type Row = Readonly<Record<string, unknown>>;
const NOTHING: readonly Row[] = [];

/** What counting does with the ledger, and what limits ask of all that is committed. */
export const MONEY_STATEMENTS: Readonly<Record<string, Statement>> = {
  // No organization of a world has a first credit: all of its usage counts.
  'weir-read-openings': (_view, [ids]) => listOf(ids).map((id) => ({ org_id: id, at_ms: null, has_balance: false })),
  'weir-share-organizations': () => NOTHING,
  'weir-lock-credits': () => NOTHING,
  'weir-set-credit-remaining': () => NOTHING,
  'weir-add-to-accounts': (view, [organizations, kinds, amounts]) => {
    const [names, picos] = [listOf(kinds), listOf(amounts)];
    return listOf(organizations).map((id, at) => {
      const key = `${id} ${names[at]}`;
      view.set('accounts', key, (view.get('accounts', key) ?? 0n) + BigInt(picos[at] ?? 0));
      return { id: key.replace(' ', '/'), org_id: id, kind: names[at] };
    });
  },
  'weir-add-ledger-tx': (view, [ids, , keys]) => {
    const names = listOf(keys);
    for (const [at, id] of listOf(ids).entries()) {
      const key = names[at] ?? '';
      if (view.get('transactions', key) !== undefined) throw new UniqueViolation(`ledger_tx ${key}`);
      view.set('transactions', key, id);
    }
    return NOTHING;
  },
  'weir-add-ledger-entries': (view, [ids, lines, accounts, amounts]) => {
    const [places, names, picos] = [listOf(lines), listOf(accounts), listOf(amounts)];
    for (const [at, id] of listOf(ids).entries()) view.set('entries', `${id} ${places[at]} ${names[at]}`, BigInt(picos[at] ?? 0));
    return NOTHING;
  },
  'weir-read-hold-bases': (view, [names, scopes, scopeIds, months]) => {
    const [kinds, ids, starts] = [listOf(scopes), listOf(scopeIds), listOf(months)];
    return listOf(names).flatMap((name, at) => {
      const row = view.get('spend', `${kinds[at]} ${ids[at]} ${starts[at]}`);
      return row === undefined ? [] : [{ name, cost_pico: String(row.costPico), version: String(row.version) }];
    });
  },
  'weir-read-counted-balance': (view, [organizationId]) => {
    const used = view.get('accounts', `${String(organizationId)} usage`) ?? 0n;
    return [{ pico: String(used), version: String(used) }];
  },
  'weir-read-limit-bases': (view, [organizationId, scopes]) =>
    listOf(scopes).flatMap((scope) => {
      const row = view.get('limitUsage', `${String(organizationId)} ${scope}`);
      return row === undefined ? [] : [{ scope, used: String(row.used), version: String(row.version) }];
    }),
  'weir-find-committed-holds': findCommitted,
  'weir-count-free-places': (view, [organizationId, day]) => {
    const used = view.get('freeDays', `${String(organizationId)} ${String(day)}`);
    return used === undefined ? NOTHING : [{ used }];
  },
};

function findCommitted(view: View, [, holdIds]: Values): readonly Row[] {
  const asked = new Set(listOf(holdIds));
  const found: Row[] = [];
  for (const { requestId, payload, writerId, sequence } of view.tables.events.values()) {
    const upTo = view.tables.writers.get(writerId)?.seen[0];
    if (!asked.has(requestId) || (upTo !== undefined && !(upTo[0] === 0n && upTo[1] >= BigInt(sequence)))) continue;
    const event = JSON.parse(payload) as { hold_id: string | null; logical: boolean };
    if (event.hold_id === requestId && event.logical) found.push({ request_id: requestId });
  }
  return found;
}
