import type { IconName } from '../../design/icons';

/** Where a result leads; loose, because the router's own type is of all routes at once. */
export type Place = { readonly to: string; readonly params?: Readonly<Record<string, string>>; readonly search?: object };

export type Found = {
  readonly id: string;
  readonly icon: IconName;
  readonly text: string;
  /** What distinguishes it from others of its name. */
  readonly more?: string;
  readonly place: Place;
};

export type FoundGroup = { readonly label: string; readonly found: readonly Found[] };

type Page = { readonly to: string; readonly label: string; readonly icon: IconName };

const SHOWN = 6;

/** What begins with the text before what has it inside a word's beginning, before what has it anywhere. */
export function rank(text: string, search: string): number {
  const [name, sought] = [text.toLowerCase(), search.toLowerCase()];
  if (name === sought) return 0;
  if (name.startsWith(sought)) return 1;
  const at = name.indexOf(sought);
  if (at < 0) return Infinity;
  return /[\s/._:-]/.test(name.charAt(at - 1)) ? 2 : 3;
}

/** The best of what has the text in its name, of equally good ones the shorter first. */
export function pickBest<Item>(items: readonly Item[], search: string, nameOf: (item: Item) => string): Item[] {
  return items
    .map((item) => ({ item, name: nameOf(item), at: rank(nameOf(item), search) }))
    .filter(({ at }) => at !== Infinity)
    .sort((a, b) => a.at - b.at || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .slice(0, SHOWN)
    .map(({ item }) => item);
}

export function findPages(pages: readonly Page[], search: string): Found[] {
  const found = search === '' ? pages : pickBest(pages, search, ({ label }) => label);
  return found.map(({ to, label, icon }) => ({ id: `page ${to}`, icon, text: label, place: { to } }));
}

/** By every word of the text: people remember parts of a model's name in any order. */
export function findModels(ids: readonly string[], search: string): Found[] {
  const words = search.toLowerCase().split(/\s+/);
  const fitting = ids.filter((id) => words.every((word) => id.toLowerCase().includes(word)));
  const best = words.length === 1 ? pickBest(fitting, search, (id) => id) : fitting.slice(0, SHOWN);
  return best.map((id) => ({
    id: `model ${id}`,
    icon: id.startsWith('policy/') ? 'rules' : 'models',
    text: id,
    place: { to: '/models', search: { model: id } },
  }));
}

const REQUEST_ID = /^[0-9a-f]{4,8}(-[0-9a-f-]*)?$/i;

export function isRequestId(search: string): boolean {
  return REQUEST_ID.test(search) && search.length <= 36;
}

/** A secret is looked for nowhere: what is searched for stands in addresses. */
export function isSecret(search: string): boolean {
  return /^(?:weir|sk|pk)[_-]\S{12,}$/i.test(search) || /^\S{45,}$/.test(search);
}

/** The place of the option that an arrow key leads to, from the last on to the first. */
export function moveChoice(at: number, by: number, count: number): number {
  return count === 0 ? -1 : (((at + by) % count) + count) % count;
}
