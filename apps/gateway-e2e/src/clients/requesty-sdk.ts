// The package's own entry for `require` names a file that it does not ship.
export { createRequesty } from '../../../../node_modules/@requesty/ai-sdk/dist/index.cjs';
