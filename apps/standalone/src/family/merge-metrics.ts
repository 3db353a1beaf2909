import type { MetricsFormat } from '@weir/telemetry';

/** `head` by the kind of its lines, in the order in which they are written. */
type Family = { readonly head: Map<string, string>; readonly samples: string[] };

const HELP = '# HELP ';
const COMMENT = '# ';
const END = '# EOF';

/** The metrics of several processes as those of one, each sample with the name of its process. */
export function mergeMetrics(pages: readonly { readonly process: string; readonly text: string }[], format: MetricsFormat): string {
  const families = new Map<string, Family>();
  for (const { process, text } of pages) {
    let family = createFamily();
    for (const line of text.split('\n')) {
      if (line.startsWith(HELP)) family = openFamily(families, line);
      else if (line.startsWith(COMMENT) && line !== END) noteHead(family, line);
      else if (line !== '' && line !== END) family.samples.push(addLabel(line, process));
    }
  }
  const lines = [...families.values()].flatMap(({ head, samples }) => [...head.values(), ...samples]);
  return `${[...lines, ...(format === 'openmetrics' ? [END] : [])].join('\n')}\n`;
}

function createFamily(): Family {
  return { head: new Map(), samples: [] };
}

/** What the first process says of a metric holds for all. */
function noteHead({ head }: Family, line: string): void {
  const [, kind = ''] = line.split(' ', 2);
  if (!head.has(kind)) head.set(kind, line);
}

function openFamily(families: Map<string, Family>, help: string): Family {
  const name = help.slice(HELP.length, help.indexOf(' ', HELP.length));
  const known = families.get(name);
  if (known !== undefined) return known;
  const family = createFamily();
  noteHead(family, help);
  families.set(name, family);
  return family;
}

/** Values of labels may have spaces and braces in them; names have neither. */
function addLabel(sample: string, process: string): string {
  const nameEnd = sample.search(/[{ ]/);
  const rest = sample.slice(nameEnd);
  const label = `process="${process}"`;
  return sample.slice(0, nameEnd) + (rest.startsWith('{') ? `{${label},${rest.slice(1)}` : `{${label}}${rest}`);
}
