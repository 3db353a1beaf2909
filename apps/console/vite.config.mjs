// Builds the console into dist, as management-api serves it below /console. `npx vite apps/console` serves the sources instead, against
// the gateway at WEIR_URL.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defaultClientConditions, defineConfig } from 'vite';

const gateway = process.env.WEIR_URL ?? 'http://localhost:4000';

const CHUNKS = [
  { name: 'react', pattern: /node_modules\/(react|react-dom|scheduler)\// },
  { name: 'bodies', pattern: /node_modules\/zod\/|libs\/contracts\// },
];

/** Writes each script and style compressed as well: once, and better than there is time for while somebody waits. */
const compressAssets = {
  name: 'compress-assets',
  apply: 'build',
  // What is in memory is changed by others until it is written.
  writeBundle({ dir }, bundle) {
    for (const { fileName } of Object.values(bundle)) {
      if (!/\.(js|css)$/.test(fileName)) continue;
      const file = join(dir, fileName);
      const content = readFileSync(file);
      writeFileSync(`${file}.br`, brotliCompressSync(content));
      writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    }
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [compressAssets],
  esbuild: { jsx: 'automatic' },
  // The same for what the server of the sources bundles beforehand, our own file among it.
  optimizeDeps: { esbuildOptions: { jsx: 'automatic' } },
  resolve: {
    // Our libraries from their sources: what they are built to is for Node.
    conditions: ['@weir/browser', ...defaultClientConditions],
    alias: {
      // The original writes a style element at run time, which the content security policy refuses.
      'react-remove-scroll': fileURLToPath(new URL('./src/design/overlay/remove-scroll.tsx', import.meta.url)),
    },
  },
  build: {
    target: 'es2022',
    // The policy has no data: for scripts and styles, and one more file costs nothing over a connection that is open.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      // "use client" is for servers that render; there is none here. The others are comments of a library for another bundler.
      onwarn: (warning, warn) => !['MODULE_LEVEL_DIRECTIVE', 'INVALID_ANNOTATION'].includes(warning.code) && warn(warning),
      output: {
        // What changes with a new version of a library alone stays in the reader's cache when the console changes. The schemas of
        // bodies are loaded with the pages that have forms, not before.
        manualChunks: (id) => CHUNKS.find(({ pattern }) => pattern.test(id))?.name,
      },
    },
  },
  server: { proxy: { '/console/api': gateway, '/console/session': gateway, '/console/enter': gateway } },
});
