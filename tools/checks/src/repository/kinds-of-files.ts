/** Files that exist for tests only. */
export function isTestSide(path: string): boolean {
  return /\.(spec|conformance)\.ts$|\/__fixtures__\/|^libs\/testing\/|^apps\/gateway-e2e\//.test(path);
}

export function isTypeScript(path: string): boolean {
  return /^(libs|apps|tools)\/.*\.ts$/.test(path);
}

export function isSource(path: string): boolean {
  return /\.(ts|mts|mjs|cjs|js)$/.test(path);
}
