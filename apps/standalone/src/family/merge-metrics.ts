type Family = { readonly head: string[]; readonly samples: string[] };

const HELP = '# HELP ';
const TYPE = '# TYPE ';

/** The metrics of several processes as those of one, each sample with the name of its process. */
export function mergeMetrics(pages: readonly { readonly process: string; readonly text: string }[]): string {
  const families = new Map<string, Family>();
  for (const { process, text } of pages) {
    let family: Family = { head: [], samples: [] };
    for (const line of text.split('\n')) {
      if (line.startsWith(HELP)) family = openFamily(families, line);
      else if (line.startsWith(TYPE)) family.head[1] ??= line;
      else if (line !== '') family.samples.push(addLabel(line, process));
    }
  }
  return `${[...families.values()].flatMap(({ head, samples }) => [...head, ...samples]).join('\n')}\n`;
}

function openFamily(families: Map<string, Family>, help: string): Family {
  const name = help.slice(HELP.length, help.indexOf(' ', HELP.length));
  const known = families.get(name);
  if (known !== undefined) return known;
  const family = { head: [help], samples: [] };
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
