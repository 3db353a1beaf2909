const SECOND: Readonly<Record<string, readonly string[]>> = {
  en: [
    'amalthea',
    'andromeda',
    'apollo',
    'arcas',
    'aries',
    'asteria',
    'athena',
    'atlas',
    'aurora',
    'callista',
    'cora',
    'cordelia',
    'delia',
    'draco',
    'electra',
    'harmonia',
    'helena',
    'hera',
    'hermes',
    'hyperion',
    'iris',
    'janus',
    'juno',
    'jupiter',
    'luna',
    'mars',
    'minerva',
    'neptune',
    'odysseus',
    'ophelia',
    'orion',
    'orpheus',
    'pandora',
    'phoebe',
    'pluto',
    'saturn',
    'thalia',
    'theia',
    'vesta',
    'zeus',
  ],
  es: ['sirio', 'nestor', 'carina', 'celeste', 'alvaro', 'diana', 'aquila', 'selena', 'estrella', 'javier'],
};

const FIRST: Readonly<Record<string, readonly string[]>> = {
  en: ['angus', 'arcas', 'asteria', 'athena', 'helios', 'hera', 'luna', 'orion', 'orpheus', 'perseus', 'stella', 'zeus'],
};

const GENERATIONS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = { aura: FIRST, 'aura-2': SECOND };

/** `thalia` → `aura-2-thalia-en`: a voice and its language are part of the name of the model. None of families no one knows. */
export function listVoices(family: string): Readonly<Record<string, string>> {
  const languages = Object.entries(GENERATIONS[family] ?? {});
  return Object.fromEntries(languages.flatMap(([language, names]) => names.map((name) => [name, `${family}-${name}-${language}`])));
}

/** `aura-2` alone, or with a voice: `aura-2-thalia-en`. */
export const FAMILY = /^([a-z]+(?:-\d+)?)(?:-([a-z]+)-([a-z]{2}))?$/;
