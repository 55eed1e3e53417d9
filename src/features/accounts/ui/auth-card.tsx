import { ArrowLeft } from 'lucide-react';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { HelpNow } from '#/web/components/help-now.tsx';
import { useGoBack } from '#/web/go-back.ts';
import { safeReturnPath } from '../rules.ts';
import { AuthForm, type AuthMode } from './auth-form.tsx';

const titles: Record<AuthMode, () => string> = {
  'sign-in': m.accounts_sign_in_title,
  'sign-up': m.accounts_sign_up_title,
  forgot: m.accounts_forgot_title,
  code: m.accounts_link_title,
  text: m.accounts_text_title,
  link: m.accounts_link_title,
};

export function AuthCard() {
  const [query] = useSearchParams();
  const [mode, setMode] = useState<AuthMode>(query.get('mode') === 'sign-up' ? 'sign-up' : 'sign-in');
  const goBack = useGoBack('/');
  return (
    <main
      id="content"
      tabIndex={-1}
      className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center px-4 py-8"
    >
      <div className="mb-3">
        <Button variant="quiet" size="sm" onClick={goBack}>
          <ArrowLeft />
          {m.web_back_home()}
        </Button>
      </div>
      <Card>
        <h1 className="mb-5 text-center text-2xl">{titles[mode]()}</h1>
        <AuthForm mode={mode} onMode={setMode} next={() => safeReturnPath(query.get('next'))} />
      </Card>
      <HelpNow className="mt-4 self-center" />
    </main>
  );
}
