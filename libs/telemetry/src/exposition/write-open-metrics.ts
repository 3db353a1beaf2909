import { findUnit, nameFamily, type Exemplar, type MetricFamily, type Sample } from './metric-family';

/**
 * The page of metrics in OpenMetrics, with exemplars. The registry's own writer is not used for it: it takes the ends of
 * counters' names away for good, so that the next page of another format has other names.
 */
export function writeOpenMetrics(families: readonly MetricFamily[]): string {
  return `${families.flatMap(writeFamily).join('\n')}\n# EOF\n`;
}

function writeFamily(family: MetricFamily): string[] {
  const name = nameFamily(family);
  const unit = findUnit(name);
  // A counter has to end so; one that does not is shown as what it is otherwise.
  const kind = family.kind === 'counter' && name === family.name ? 'unknown' : family.kind;
  return [
    `# HELP ${name} ${escape(family.help)}`,
    `# TYPE ${name} ${kind}`,
    ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
    ...family.samples.map((sample) => writeSample(sample, family.name)),
  ];
}

function writeSample({ metricName, labels, value, exemplar }: Sample, familyName: string): string {
  const written = Object.entries(labels).map(([name, text]) => `${name}="${name === 'le' ? writeBound(text) : escape(String(text))}"`);
  const shown = written.length === 0 ? '' : `{${written.join(',')}}`;
  return `${metricName ?? familyName}${shown} ${writeNumber(value)}${writeExemplar(exemplar)}`;
}

function writeExemplar(exemplar: Exemplar | null | undefined): string {
  if (exemplar === undefined || exemplar === null) return '';
  const labels = Object.entries(exemplar.labels).map(([name, text]) => `${name}="${escape(text)}"`);
  return ` # {${labels.join(',')}} ${writeNumber(exemplar.value)} ${exemplar.atMs / 1000}`;
}

/** Bounds are compared as text by some collectors, so there is one way to write them: with a point. */
function writeBound(bound: string | number | undefined): string {
  const text = String(bound);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

function writeNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return 'NaN';
  return value > 0 ? '+Inf' : '-Inf';
}

function escape(text: string): string {
  return text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/"/g, '\\"');
}
