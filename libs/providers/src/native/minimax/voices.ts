const NAMES = [
  'Wise_Woman',
  'Friendly_Person',
  'Inspirational_girl',
  'Deep_Voice_Man',
  'Calm_Woman',
  'Casual_Guy',
  'Lively_Girl',
  'Patient_Man',
  'Young_Knight',
  'Determined_Man',
  'Lovely_Girl',
  'Decent_Boy',
  'Imposing_Manner',
  'Elegant_Man',
  'Abbess',
  'Sweet_Girl_2',
  'Exuberant_Girl',
];

/** Voices that every account has and that speak any language: name in small letters → name. */
export const VOICES: Readonly<Record<string, string>> = Object.fromEntries(NAMES.map((name) => [name.toLowerCase(), name]));

/** All others have longer identifiers: those of one language (`English_Graceful_Lady`), cloned and designed ones. */
export const CUSTOM_VOICE = /^[A-Za-z][A-Za-z0-9 ()_-]{7,255}$/;
