import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { can } from '#/features/access/rules.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Menu } from '#/web/components/menu.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { ListedUser, OpenedUser } from '../users/contract.ts';
import { useViewer } from './session.tsx';
import { changeRole, edit, type MenuAction, remove } from './users-actions.tsx';
import { userFailureText } from './users-texts.ts';

export function UserMenu({ user: { id, name } }: { user: ListedUser }) {
  const queries = useQueryClient();
  const viewer = useViewer();
  const [opened, setOpened] = useState<{ user: OpenedUser; action: MenuAction } | null>(null);
  const open = useMutation({
    mutationFn: async (action: MenuAction) => ({
      user: await api.directory.open.call({ userId: id }),
      action,
    }),
    onSuccess: setOpened,
    onError: (error) => toast.failed(m.web_load_failed(), userFailureText(error)),
  });
  const close = () => {
    setOpened(null);
    void queries.invalidateQueries({ queryKey: api.directory.key() });
  };
  const mayChangeRole = can(viewer?.role ?? null, 'manage_roles');
  const actions = id === viewer?.id ? [edit] : [edit, ...(mayChangeRole ? [changeRole] : []), remove];
  return (
    <>
      <Menu
        trigger={
          <Button
            variant="quiet"
            size="icon"
            aria-label={m.web_actions_for({ name })}
            aria-busy={open.isPending}
          >
            <Ellipsis />
          </Button>
        }
        items={actions.map((action) => ({
          label: action.label(),
          icon: action.icon,
          ...(action === remove ? { tone: 'destructive' as const } : {}),
          onSelect: () => {
            if (!open.isPending) open.mutate(action);
          },
        }))}
      />
      {opened && <opened.action.Dialog user={opened.user} onRemoved={close} onClose={close} />}
    </>
  );
}
