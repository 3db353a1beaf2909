import type { AuditExportRow, UsageExportRow } from '@weir/database';
import { redactSecrets, type LogRecord } from '@weir/telemetry';

/** A change as the audit log shows it. It holds no secrets; what looks like one all the same is taken out here too. */
export function describeAudit(row: AuditExportRow): LogRecord {
  const { sequence, organizationId, atMs, action, actorKind, actorId, targetKind, targetId, requestId, ip } = row;
  return {
    ...{ name: 'weir.audit', atMs, id: `audit-${sequence}`, text: `${actorKind} ${action} ${targetKind}` },
    members: {
      sequence,
      organization_id: organizationId,
      action,
      actor_kind: actorKind,
      actor_id: actorId,
      target_kind: targetKind,
      target_id: targetId,
      request_id: requestId,
      ip,
      before: clean(row.before),
      after: clean(row.after),
    },
  };
}

function clean(document: unknown): unknown {
  return document === null || document === undefined ? null : (JSON.parse(redactSecrets(JSON.stringify(document))) as unknown);
}

/** An event as it was journalled, whatever version of the gateway wrote it. */
export function describeUsage({ writerId, sequence, payload }: UsageExportRow): LogRecord {
  const event = JSON.parse(payload) as Readonly<Record<string, unknown>>;
  const { traceparent, ...members } = event;
  const text = (name: string): string => (typeof event[name] === 'string' ? event[name] : '');
  return {
    ...{ name: 'weir.usage', atMs: Number(event['ended_at'] ?? 0), id: text('event_id') || `${writerId}-${sequence}` },
    text: `${text('model_used')} ${text('status')}`,
    members,
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
  };
}
