import type { ReactNode } from 'react';
import { useViewer } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { PathIllustration } from '#/web/components/illustrations/path.tsx';

export function LinkClosed({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  const viewer = useViewer();
  return (
    <Card className="mx-auto max-w-xl text-center">
      <div aria-hidden className="mx-auto mb-4 w-48 max-w-full">
        <PathIllustration />
      </div>
      <h1 tabIndex={-1} className="text-2xl">
        {title}
      </h1>
      <p className="mt-2 text-quiet">{text}</p>
      <div className="mt-5 flex flex-wrap justify-center gap-3">
        {children}
        <ButtonLink to={viewer ? '/home' : '/'} variant="secondary">
          {m.invitation_to_home()}
        </ButtonLink>
      </div>
    </Card>
  );
}
