import { useState, type ReactNode } from 'react';
import { Card } from '#/web/components/card.tsx';
import { HelpNow } from '#/web/components/help-now.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { AuthForm, type AuthMode } from './auth-form.tsx';

export function MailedLinkPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main
      id="content"
      tabIndex={-1}
      className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center px-4 py-8"
    >
      <Card>
        <h1 className="mb-5 text-center text-2xl">{title}</h1>
        {children}
      </Card>
      <HelpNow className="mt-4 self-center" />
    </main>
  );
}

export function LinkExpired({
  title,
  text,
  tone = 'destructive',
  initialMode,
  next,
  onSignedIn,
}: {
  title: string;
  text: string | null;
  tone?: 'success' | 'destructive';
  initialMode: AuthMode;
  next: string;
  onSignedIn: () => void;
}) {
  const [mode, setMode] = useState(initialMode);
  return (
    <MailedLinkPage title={title}>
      {text !== null && (
        <Notice tone={tone} className="mb-5">
          {text}
        </Notice>
      )}
      <AuthForm mode={mode} onMode={setMode} onSignedIn={onSignedIn} next={() => next} />
    </MailedLinkPage>
  );
}
