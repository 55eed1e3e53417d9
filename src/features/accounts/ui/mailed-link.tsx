import { useState, type ReactNode } from 'react';
import { Card } from '#/web/components/card.tsx';
import { Notice } from '#/web/components/notice.tsx';
import { AuthForm, type AuthMode } from './auth-form.tsx';

export function MailedLinkPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="mx-auto max-w-md px-4 py-8 sm:py-16">
      <Card>
        <h1 className="mb-5 text-center text-2xl">{title}</h1>
        {children}
      </Card>
    </div>
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
