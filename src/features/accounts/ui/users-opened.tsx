import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { useApi } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import type { ListedUser, OpenedUser } from '../users/contract.ts';

export interface UserDialogProps {
  user: ListedUser;
  onClose: () => void;
}

/** Never refetches, because the server audits each view. */
export function OpenedFirst({
  user,
  title,
  onClose,
  children,
}: UserDialogProps & { title: string; children: (opened: OpenedUser) => ReactNode }) {
  const api = useApi();
  const opened = useQuery(
    api.directory.open.queryOptions({
      input: { userId: user.id },
      gcTime: 0,
      staleTime: Infinity,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: false,
    }),
  );
  if (opened.data) return children(opened.data);
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={title}
      footer={
        <Button variant="secondary" onClick={onClose}>
          {m.web_cancel()}
        </Button>
      }
    >
      <Fetched query={opened} failure={m.users_open_failed()} skeleton={<Skeleton className="h-48" />}>
        {() => null}
      </Fetched>
    </Dialog>
  );
}
