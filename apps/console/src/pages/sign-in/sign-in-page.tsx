import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState, type FormEvent } from 'react';
import { toApiError, type ApiError } from '../../api/api-error';
import { signIn } from '../../api/session';
import { Button, Notice, TextField } from '../../design';
import { BrandMark } from '../../shell/brand';
import './sign-in.css';
import type { SignInReason } from './sign-in-search';

const REASONS: Readonly<Record<SignInReason, string>> = {
  link: 'This link has been used or has run out. Sign in with an API key, or ask for a new link.',
  ended: 'Your session has ended. Sign in again to go on where you were.',
};

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const { reason } = route.useSearch();
  const { onSignedIn } = route.useRouteContext();
  const [apiKey, setApiKey] = useState('');
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
        {reason !== undefined && !attempt.isError && <Notice>{REASONS[reason]}</Notice>}
        <TextField
          label="API key"
          type="password"
          autoComplete="off"
          spellCheck={false}
          autoFocus
          required
          value={apiKey}
          onChange={(event) => setApiKey(event.target.value)}
          error={attempt.isError ? explain(toApiError(attempt.error)) : undefined}
          hint="You can do here what this key may do, and no more. The key is not kept in the browser: it is exchanged for a session that ends by itself."
        />
        <Button type="submit" kind="primary" isBusy={attempt.isPending}>
          Sign in
        </Button>
      </form>
    </main>
  );
}

function explain({ status, message }: ApiError): string {
  if (status === 401) return 'This key is not valid. It may be cut off, have expired, or have been revoked.';
  if (status === 429) return 'Too many attempts. Wait a minute and try again.';
  return message;
}
