import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button, ButtonLink } from '#/web/components/button.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { ResourceCard } from '../library/contract.ts';
import { useMarkCards } from './known-cards.ts';
import { resourceFailureText } from './resource-texts.ts';
import { useSignInGate } from './sign-in-gate.ts';

/** 'Get': counts the download, saves the resource to the person's library, then opens it. */
export function GetButton({
  resource: { id, title, got },
  stays = false,
  size = 'sm',
}: {
  resource: ResourceCard;
  stays?: boolean;
  size?: 'sm' | 'lg';
}) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const mark = useMarkCards();
  const requireSignIn = useSignInGate();
  const [busy, setBusy] = useState(false);

  const take = async () => {
    setBusy(true);
    try {
      await api.resources.take.call({ resourceId: id });
      await queries.invalidateQueries({ queryKey: api.resources.mine.key() });
      await (stays ? revalidate() : navigate(`/resources/${id}`));
      mark(id, { got: true });
    } catch (error) {
      toast.failed(m.resources_get_failed(), resourceFailureText(error));
    } finally {
      setBusy(false);
    }
  };
  const about = m.resources_get_about({ title });
  if (got && !stays) {
    return (
      <ButtonLink about={about} to={`/resources/${id}`} variant="secondary" size={size} className="shrink-0">
        {m.resources_open()}
      </ButtonLink>
    );
  }
  return (
    <Button
      about={about}
      variant={stays ? 'primary' : 'secondary'}
      size={size}
      busy={busy}
      className="shrink-0"
      onClick={() => requireSignIn('resources', () => void take())}
    >
      {m.resources_get()}
    </Button>
  );
}
