import { validateBodyInTurns } from '@weir/contracts';
import type { Prisma } from '@weir/database';
import { invariant } from '@weir/errors';
import { takeTurn } from '@weir/http-server';
import type { z } from 'zod';
import { runChange, type ChangeCaller } from '../changes/run-change';
import type { RouteParts } from '../route/management-parts';

type Transaction = Prisma.TransactionClient;

export type FinanceDocumentKind = 'cost-centres' | 'price-list' | 'invoice-settings' | 'budget-plan';

/** What is in force, as its schema reads it; version 0 where nothing was given yet. */
export type FinanceDocument<Document> = { readonly version: number; readonly since: Date | null; readonly document: Document };

type Asked<Document> = {
  readonly organizationId: string;
  readonly kind: FinanceDocumentKind;
  readonly schema: z.ZodType<Document>;
  /** What holds where nothing was given. */
  readonly otherwise: Document;
};

export async function readFinanceDocument<Document>(tx: Transaction, asked: Asked<Document>): Promise<FinanceDocument<Document>> {
  const { organizationId, kind, schema, otherwise } = asked;
  const row = await tx.financeDocument.findFirst({ where: { organizationId, kind }, orderBy: { version: 'desc' } });
  if (row === null) return { version: 0, since: null, document: otherwise };
  const { data, problems } = await validateBodyInTurns(schema, row.document as object, takeTurn);
  invariant(problems === undefined, `the ${kind} that is kept cannot be read`);
  return { version: row.version, since: row.createdAt, document: data };
}

export function describeFinanceDocument({ version, since, document }: FinanceDocument<object>): Prisma.InputJsonObject {
  return { ...(document as Prisma.InputJsonObject), version, since: since?.toISOString() ?? null };
}

type Replacement<Document> = Asked<Document> & {
  readonly document: Document;
  /** Refuses what the document refers to and the organization does not have. */
  readonly check: (tx: Transaction) => Promise<void>;
};

/** Gives the document its next version; those before stay as they are. */
export function replaceFinanceDocument<Document extends object>(
  parts: RouteParts,
  caller: ChangeCaller,
  { document, check, ...asked }: Replacement<Document>,
): Promise<FinanceDocument<Document>> {
  const { organizationId, kind } = asked;
  return runChange(parts, caller, async (tx) => {
    await lockFinance(tx, organizationId);
    await check(tx);
    const before = await readFinanceDocument(tx, asked);
    const version = before.version + 1;
    const row = await tx.financeDocument.create({
      data: { organizationId, kind, version, document: document as Prisma.InputJsonObject, createdAt: new Date(parts.now()) },
    });
    const after = { version, since: row.createdAt, document };
    return {
      result: after,
      audit: {
        targetKind: 'finance',
        targetId: kind,
        before: before.version === 0 ? null : describeFinanceDocument(before),
        after: describeFinanceDocument(after),
      },
      changed: [],
    };
  });
}

/** What finance changes of an organization happens one after the other. */
export async function lockFinance(tx: Transaction, organizationId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`finance:${organizationId}`}, 0))`;
}
