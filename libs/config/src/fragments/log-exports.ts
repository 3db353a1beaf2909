import { z } from 'zod';

/** Host, and a port where it is not the usual one; nothing else, and no credentials. */
const SYSLOG = /^syslog(\+tls)?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/i;

const receiver = z
  .string()
  .refine((text) => text === 'otlp' || SYSLOG.test(text), 'must be otlp, syslog://host[:port] or syslog+tls://host[:port]')
  .optional();

export const logExportEnv = z.object({
  /** Where changes of the audit log go as log records. Absent: nowhere. */
  AUDIT_EXPORT: receiver,
  /** Where usage events go as log records. Absent: nowhere. */
  USAGE_EXPORT: receiver,
});
