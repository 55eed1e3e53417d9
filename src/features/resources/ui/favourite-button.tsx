import { useQueryClient } from '@tanstack/react-query';
import { Heart } from 'lucide-react';
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { classes } from '#/web/components/classes.ts';
import { toast } from '#/web/components/toast.tsx';
import type { ResourceCard } from '../library/contract.ts';
import { useMarkCards } from './known-cards.ts';
import { resourceFailureText } from './resource-texts.ts';
import { useSignInGate } from './sign-in-gate.ts';

export function FavouriteButton({
  resource: { id, title, favourite },
  className,
}: {
  resource: ResourceCard;
  className?: string;
}) {
  const queries = useQueryClient();
  const { revalidate } = useRevalidator();
  const mark = useMarkCards();
  const requireSignIn = useSignInGate();
  const [shown, setShown] = useState({ favourite, kept: favourite });
  // Fresh list data overrides the optimistic state.
  if (shown.favourite !== favourite) setShown({ favourite, kept: favourite });

  const change = async (kept: boolean) => {
    setShown((last) => ({ ...last, kept }));
    try {
      await api.resources.favourite.call({ resourceId: id, favourite: kept });
      if (kept) {
        toast.done(m.resources_favourite_added(), m.resources_get_text());
      }
      mark(id, { favourite: kept });
      await Promise.all([queries.invalidateQueries({ queryKey: api.resources.mine.key() }), revalidate()]);
    } catch (error) {
      setShown((last) => ({ ...last, kept: !kept }));
      toast.failed(m.resources_favourite_failed(), resourceFailureText(error));
    }
  };
  return (
    <button
      type="button"
      aria-pressed={shown.kept}
      aria-label={shown.kept ? m.resources_favourite_remove({ title }) : m.resources_favourite_add({ title })}
      // After signing in, the click always adds.
      onClick={() => requireSignIn('save', () => void change(!shown.kept))}
      className={classes(
        'grid size-11 shrink-0 place-items-center rounded-full text-quiet hover:bg-sunken hover:text-ink print:hidden',
        className,
      )}
    >
      <Heart className={classes('size-5', shown.kept && 'fill-clay text-clay')} />
    </button>
  );
}
