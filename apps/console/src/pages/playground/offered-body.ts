import { parseJson } from './json';

const OFFERED = 'weir-playground-offered';

/** Leaves a body for the playground of this tab. */
export function offerBody(body: unknown): void {
  sessionStorage.setItem(OFFERED, JSON.stringify(body));
}

/** Takes the body that was left, once; undefined where there is none. */
export function takeOfferedBody(): unknown {
  const text = sessionStorage.getItem(OFFERED);
  sessionStorage.removeItem(OFFERED);
  return text === null ? undefined : (parseJson(text) ?? null);
}
