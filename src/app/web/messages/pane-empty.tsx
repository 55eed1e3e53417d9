import type { ReactNode } from 'react';
import { ButtonLink } from '#/web/components/button.tsx';
import { m } from '#/texts/messages.js';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { PathIllustration } from '#/web/components/illustrations/path.tsx';

/** Same placeholder for nonexistent conversations and other people's, so nothing leaks. */
export function MissingPane({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid h-full place-items-center overflow-y-auto p-4">
      <EmptyState
        as="h1"
        illustration={<PathIllustration />}
        title={title}
        action={<ButtonLink to="/messages">{m.messaging_missing_action()}</ButtonLink>}
      >
        {children}
      </EmptyState>
    </div>
  );
}
