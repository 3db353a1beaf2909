// The content security policy allows no code made from text. Zod tries whether it may make some when its first schema is built, which
// the browser reports as a breach; so it is asked not to, before any page that has schemas is loaded.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
