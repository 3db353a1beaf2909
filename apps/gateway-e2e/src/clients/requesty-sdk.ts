// The package's own entry for `require` names a file that it does not ship.
// eslint-disable-next-line @nx/enforce-module-boundaries -- its entry cannot be resolved by name
export { createRequesty } from '../../../../node_modules/@requesty/ai-sdk/dist/index.cjs';
