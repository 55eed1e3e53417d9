import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react';
import { useAuthRequired } from '#/features/accounts/ui/auth-required.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { EmptyState } from '#/web/components/empty-state.tsx';
import { WindowIllustration } from '#/web/components/illustrations/window.tsx';
import { DashboardFrame } from './dashboard-frame.tsx';

type Need = Parameters<ReturnType<typeof useAuthRequired>['requireAuth']>[0];

export function GuestScreen({
  title,
  children,
  illustration = <WindowIllustration />,
  need = 'other',
  ask = false,
}: {
  title: string;
  children: ReactNode;
  illustration?: ReactNode;
  need?: Need;
  ask?: boolean;
}) {
  const { requireAuth } = useAuthRequired();
  const asked = useRef(false);
  useEffect(() => {
    // Prompts once per visit, so guests can dismiss it and look around.
    if (!ask || asked.current) return;
    asked.current = true;
    requireAuth(need, () => undefined);
  }, [ask, need, requireAuth]);
  return (
    <Card className="mx-auto max-w-reading">
      <EmptyState
        as="h1"
        illustration={illustration}
        title={title}
        action={<Button onClick={() => requireAuth(need, () => undefined)}>{m.accounts_sign_in()}</Button>}
      >
        {children}
      </EmptyState>
    </Card>
  );
}

/** In place of pages for signed-in people. */
export function GuestPage(props: Omit<ComponentProps<typeof GuestScreen>, 'ask'>) {
  return (
    <DashboardFrame>
      <GuestScreen {...props} ask />
    </DashboardFrame>
  );
}
