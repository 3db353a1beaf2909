import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { parsePairs } from './otlp-settings';

/** What process a signal comes from: attributes of OpenTelemetry's resource. */
export type Resource = Readonly<Record<string, string>>;

/** Of this build, as all projects of the repository have it. */
export const VERSION = (JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')) as { version: string }).version;

/** The service, its version and which of its processes; attributes of the setting are added, and replace those of the same name. */
export function describeResource(service: string, attributes: string | undefined): Resource {
  return {
    'service.name': `weir-${service}`,
    'service.version': VERSION,
    'service.instance.id': `${hostname()}:${process.pid}`,
    ...parsePairs(attributes ?? ''),
  };
}
