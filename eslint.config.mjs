process.env.NX_DAEMON ??= "false";
const { createProjectGraphAsync } = (await import("@nx/devkit"));
const t0=Date.now(); await createProjectGraphAsync({exitOnError:false}); console.error("graph", Date.now()-t0);
import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';
export default [
 { ignores: ['**/dist/**'] },
 { files: ['**/*.ts'], languageOptions: { parser: tseslint.parser }, plugins: { '@nx': nx }, rules: { '@nx/enforce-module-boundaries': ['error', { depConstraints: [
  { sourceTag: 'type:contract', onlyDependOnLibsWithTags: ['type:domain'] }, { sourceTag:'type:domain', onlyDependOnLibsWithTags:['type:domain'], bannedExternalImports:['zod'] } ] }] } } ];
