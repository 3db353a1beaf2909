// Runs before anything is drawn, so that no other theme flashes: what was chosen, or else the system's. src/shell/theme.ts follows
// both from then on.
let chosen = null;
try {
  chosen = localStorage.getItem('weir-theme');
} catch {
  // Storage may be switched off: the system's theme holds.
}
const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
document.documentElement.dataset.theme = chosen === 'light' || chosen === 'dark' ? chosen : system;
