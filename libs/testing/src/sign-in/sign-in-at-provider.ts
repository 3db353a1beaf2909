/** A browser without scripts at the pages of an identity provider: it follows redirects, keeps cookies and fills in forms. */
export async function signInAtProvider(url: string, person: { readonly name: string; readonly password: string }): Promise<string> {
  const cookies = new Map<string, string>();
  let asked: { readonly url: string; readonly body?: URLSearchParams } = { url };
  for (let step = 0; step < 15; step += 1) {
    // Ours: what the browser would be sent back to.
    if (new URL(asked.url).pathname.startsWith('/console/')) return asked.url;
    const reply = await fetch(asked.url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '), accept: 'text/html' },
      ...(asked.body === undefined ? {} : { method: 'POST', body: asked.body }),
    });
    for (const set of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      cookies.set(name, value);
    }
    const location = reply.headers.get('location');
    asked = location === null ? fillIn(await reply.text(), asked.url, person) : { url: new URL(location, asked.url).href };
  }
  throw new Error(`the sign-in at the provider did not end, it stands at ${asked.url}`);
}

/** The first form of a page with a person's name and password in its fields. */
function fillIn(
  html: string,
  pageUrl: string,
  { name, password }: { readonly name: string; readonly password: string },
): { readonly url: string; readonly body: URLSearchParams } {
  const [form] = /<form[\s\S]*?<\/form>/i.exec(html) ?? [];
  if (form === undefined) throw new Error(`the page at ${pageUrl} has no form:\n${html.slice(0, 2000)}`);
  const body = new URLSearchParams();
  for (const [input] of form.matchAll(/<input[^>]*>/gi)) {
    const field = readAttribute(input, 'name');
    const type = readAttribute(input, 'type');
    if (field === undefined || type === 'checkbox' || type === 'submit') continue;
    body.set(field, type === 'password' ? password : type === 'hidden' ? (readAttribute(input, 'value') ?? '') : name);
  }
  return { url: new URL(readAttribute(form, 'action') ?? pageUrl, pageUrl).href, body };
}

function readAttribute(tag: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`, 'i').exec(tag)?.[1]?.replaceAll('&amp;', '&');
}
