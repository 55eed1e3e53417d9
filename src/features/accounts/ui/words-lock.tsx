import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '#/web/api.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { onRefusal } from '#/web/refusals.ts';
import type { WordsState } from '../author-keys/contract.ts';
import { useViewer } from './session.tsx';
import type { LockedWords } from './unlock-words.tsx';

const UnlockWords = lazyPart(async () => (await import('./unlock-words.tsx')).UnlockWords);

/** Whether the person's own secrets have unlocked their journal and private notes; undefined until known. */
export function useWords(): WordsState | undefined {
  const queries = useQueryClient();
  // Another tab may have locked them.
  useEffect(
    () =>
      onRefusal(({ reason }) => {
        if (reason === 'words_locked') void queries.invalidateQueries({ queryKey: api.words.get.key() });
      }),
    [queries],
  );
  return useQuery(api.words.get.queryOptions()).data;
}

/** Asks for a secret if the person's text is locked. */
export function WordsLock({ what, className }: { what: LockedWords; className?: string }) {
  const viewer = useViewer();
  const words = useWords();
  if (!viewer || !words || words.state === 'open') return null;
  return <UnlockWords what={what} words={words} viewer={viewer} className={className} />;
}
