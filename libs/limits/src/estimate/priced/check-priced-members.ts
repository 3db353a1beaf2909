import { GatewayError } from '@weir/errors';
import type { MemberKind, PricedMembers } from './member-kinds';
import { PRICED_MEMBERS } from './priced-members';

type Json = Readonly<Record<string, unknown>>;
type Row = {
  readonly name: string;
  readonly kind: MemberKind;
  readonly members: readonly Row[] | undefined;
  readonly items: Row | undefined;
};
type Fault = { readonly field: string; readonly problem: string };

/** Prepared once: a request walks arrays. */
const ROWS: ReadonlyMap<string, readonly Row[]> = new Map(
  Object.entries(PRICED_MEMBERS).map(([endpointId, members]) => [endpointId, toRows(members)]),
);

function toRows(members: PricedMembers): Row[] {
  return Object.entries(members).map(([name, kind]) => toRow(name, kind));
}

function toRow(name: string, kind: MemberKind): Row {
  const members = kind.members === undefined ? undefined : toRows(kind.members);
  return { name, kind, members, items: kind.items === undefined ? undefined : toRow('', kind.items) };
}

/**
 * Refuses a request of which a member that decides about money is not what the interface of its vendor says, whatever the
 * provider would make of it: what is estimated and what is sent have to mean the same. Throws `invalid_request` naming the
 * field.
 */
export function checkPricedMembers(endpointId: string, json: Json): void {
  const rows = ROWS.get(endpointId);
  const fault = rows === undefined ? undefined : findFault(rows, json);
  if (fault === undefined) return;
  throw new GatewayError('invalid_request', `${fault.field} ${fault.problem}.`, { field: fault.field });
}

function findFault(rows: readonly Row[], json: Json): Fault | undefined {
  for (const row of rows) {
    const value = json[row.name];
    if (value === undefined || value === null) continue;
    const fault = findFaultOf(row, value);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function findFaultOf({ name, kind, members, items }: Row, value: unknown): Fault | undefined {
  const problem = kind.findProblem(value);
  if (problem !== undefined) return { field: name, problem };
  if (members !== undefined) {
    const fault = findFault(members, value as Json);
    return fault && { ...fault, field: `${name}.${fault.field}` };
  }
  return items === undefined ? undefined : findFaultOfItems(name, items, value as readonly unknown[]);
}

function findFaultOfItems(name: string, items: Row, values: readonly unknown[]): Fault | undefined {
  for (let index = 0; index < values.length; index += 1) {
    const fault = findFaultOf(items, values[index]);
    // The row of an entry has no name of its own.
    if (fault !== undefined) return { ...fault, field: `${name}[${index}]${fault.field}` };
  }
  return undefined;
}
