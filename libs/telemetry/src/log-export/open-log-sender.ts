import { describeTarget, type OtlpSettings } from '../otlp/otlp-settings';
import { describeResource } from '../otlp/resource';
import { createOtlpSender } from '../otlp/send-otlp';
import type { LogSender } from './log-record';
import { createOtlpLogSender } from './otlp-logs';
import { createSyslogSender } from './syslog';

const OTLP = 'otlp';
const SCHEMES: Readonly<Record<string, { readonly isTls: boolean; readonly port: number }>> = {
  'syslog:': { isTls: false, port: 601 },
  'syslog+tls:': { isTls: true, port: 6514 },
};

/** Opens the receiver that a setting names: `otlp`, `syslog://host[:port]` or `syslog+tls://host[:port]`. */
export function openLogSender(service: string, receiver: string, settings: OtlpSettings): LogSender {
  if (receiver === OTLP) {
    const resource = describeResource(service, settings.OTEL_RESOURCE_ATTRIBUTES);
    return createOtlpLogSender(resource, createOtlpSender(describeTarget('logs', settings)));
  }
  const { protocol, hostname: host, port } = new URL(receiver);
  const scheme = SCHEMES[protocol];
  if (scheme === undefined) throw new Error(`${protocol} is no scheme of a receiver of logs`);
  return createSyslogSender(service, {
    ...{ host: host.replace(/^\[|\]$/g, ''), isTls: scheme.isTls, timeoutMs: settings.OTEL_EXPORTER_OTLP_TIMEOUT },
    port: port === '' ? scheme.port : Number(port),
  });
}
