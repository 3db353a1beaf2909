// Builds the console into dist, as management-api serves it below /console. `npx vite apps/console` serves the sources instead, against
// the gateway at WEIR_URL.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const gateway = process.env.WEIR_URL ?? 'http://localhost:4000';

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  esbuild: { jsx: 'automatic' },
  // The same for what the server of the sources bundles beforehand, our own file among it.
  optimizeDeps: { esbuildOptions: { jsx: 'automatic' } },
  resolve: {
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
      // "use client" is for servers that render; there is none here.
      onwarn: (warning, warn) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && warn(warning),
      output: {
        // What changes with a new version of a library alone stays in the reader's cache when the console changes.
        manualChunks: (id) => (/node_modules\/(react|react-dom|scheduler)\//.test(id) ? 'react' : undefined),
      },
    },
  },
  server: { proxy: { '/console/api': gateway, '/console/session': gateway, '/console/enter': gateway } },
});
