import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState, type FormEvent } from 'react';
import { toApiError, type ApiError } from '../../api/api-error';
import { signIn } from '../../api/session';
import { Button, Notice, TextField } from '../../design';
import { BrandMark } from '../../shell/brand';
import { REASONS } from './reasons';
import './sign-in.css';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const { reason, return: back } = route.useSearch();
  const { onSignedIn } = route.useRouteContext();
  const [apiKey, setApiKey] = useState('');
  // Known before the page is shown: nothing moves under the hand of who is about to type or press.
  const { oidc } = route.useLoaderData();
  const attempt = useMutation({ mutationFn: signIn, onSuccess: onSignedIn });
  useEffect(() => {
    document.title = 'Sign in · Weir';
  }, []);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (apiKey.trim() !== '') attempt.mutate(apiKey.trim());
  };
  return (
    <main className="sign-in">
      <form className="panel sign-in-form" onSubmit={submit}>
        <div className="row">
          <BrandMark size={32} />
          <h1>Sign in to Weir</h1>
        </div>
        {reason !== undefined && !attempt.isError && <Notice kind={REASONS[reason].kind}>{REASONS[reason].text}</Notice>}
        {oidc !== null && (
          <>
            {/* A way out of the console, to the pages of the provider: no route of ours. */}
            <a className="button button-primary sign-in-provider" href={toStart(back)}>
              Sign in with {oidc.name}
            </a>
            <p className="sign-in-or quiet">or with an API key</p>
          </>
        )}
        <TextField
          label="API key"
          type="password"
          autoComplete="off"
          spellCheck={false}
          autoFocus={oidc === null}
          required
          value={apiKey}
          onChange={(event) => setApiKey(event.target.value)}
          error={attempt.isError ? explain(toApiError(attempt.error)) : undefined}
          hint="You can do here what this key may do, and no more. The key is not kept in the browser: it is exchanged for a session that ends by itself."
        />
        <Button type="submit" kind={oidc === null ? 'primary' : 'normal'} isBusy={attempt.isPending}>
          Sign in
        </Button>
      </form>
    </main>
  );
}

/** Where signing in at the provider begins, and where it is to end. */
function toStart(back: string | undefined): string {
  return `/console/oidc/start${back === undefined ? '' : `?return=${encodeURIComponent(`/console${back}`)}`}`;
}

function explain({ status, message }: ApiError): string {
  if (status === 401) return 'This key is not valid. It may be cut off, have expired, or have been revoked.';
  if (status === 429) return 'Too many attempts. Wait a minute and try again.';
  return message;
}
