/** Everything from here, nothing inline but pictures in the viewer’s style sheet. */
export const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A file of its own, because the policy lets no inline script run. Without a validator, which would be another address. */
export const DOCS_SCRIPT = `const dark = window.matchMedia('(prefers-color-scheme: dark)');
const obey = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', obey);
obey();
window.addEventListener('load', () => {
  window.SwaggerUIBundle({
    url: '/openapi.json',
    dom_id: '#api',
    deepLinking: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    validatorUrl: null,
  });
});
`;

/** The viewer sets headings and their descriptions side by side, which leaves the latter a letter's width on a phone. */
export const DOCS_STYLE = `@media (max-width: 640px) {
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag small { flex-basis: 100%; order: 1; padding: 4px 0; }
  .swagger-ui .wrapper { padding: 0 12px; }
  .swagger-ui .opblock-body { overflow-x: auto; }
}
`;

export function renderDocsPage(): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Weir: interface</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="stylesheet" href="/docs/phone.css">
    <script src="/docs/swagger-ui-bundle.js" defer></script>
    <script src="/docs/start.js" defer></script>
  </head>
  <body>
    <div id="api"></div>
    <noscript>The interface is described in <a href="/openapi.json">/openapi.json</a>.</noscript>
  </body>
</html>
`;
}
