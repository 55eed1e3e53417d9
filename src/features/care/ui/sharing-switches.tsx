import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api } from '#/web/api.tsx';
import { m } from '#/texts/messages.js';
import { Avatar } from '#/web/components/avatar.tsx';
import { Switch } from '#/web/components/choice.tsx';
import { FetchedList } from '#/web/components/fetched-list.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { SharedPart } from '../clients/contract.ts';
import type { SharingView } from '../sharing/contract.ts';
import { careFailureText, useCareNews, sharingQuery } from './care-queries.ts';

const parts: Readonly<Record<SharedPart, () => string>> = {
  profile: m.care_sharing_profile,
  goals: m.care_sharing_goals,
  progress: m.care_sharing_progress,
};

export function SharingSwitches({ growth }: { growth: boolean }) {
  useCareNews();
  const list = useInfiniteQuery(sharingQuery(api.care));
  const counsellors = list.data?.pages.flatMap((one) => one.counsellors);
  return (
    <FetchedList
      query={list}
      entries={counsellors}
      empty={<p className="text-quiet">{m.care_sharing_none()}</p>}
    >
      {(found) => (
        <ul className="grid gap-6">
          {found.map((one) => (
            <Counsellor key={one.counsellor.id} sharing={one} growth={growth} />
          ))}
        </ul>
      )}
    </FetchedList>
  );
}

function Counsellor({ sharing, growth }: { sharing: SharingView; growth: boolean }) {
  const queries = useQueryClient();
  const nameId = useId();
  const { counsellor, ...shared } = sharing;
  // Optimistic values until the response arrives.
  const [pressed, setPressed] = useState<Partial<Record<SharedPart, boolean>>>({});
  const { mutate } = useMutation({
    mutationFn: ({ part, on }: { part: SharedPart; on: boolean }) =>
      api.care.sharing.set.call({ providerId: counsellor.id, [part]: on }),
    // Saves run in the order pressed.
    scope: { id: `sharing-${counsellor.id}` },
    onSuccess: (_, { part, on }) => {
      const words = { counsellor: counsellor.name, part: parts[part]() };
      toast.done(on ? m.care_sharing_on(words) : m.care_sharing_off(words));
    },
    onError: (error) =>
      toast.failed(m.care_sharing_failed({ counsellor: counsellor.name }), careFailureText(error)),
    onSettled: async (_, __, { part, on }) => {
      await queries.invalidateQueries({ queryKey: api.care.sharing.key() });
      setPressed((before) => (before[part] === on ? { ...before, [part]: undefined } : before));
    },
  });
  const offered: SharedPart[] = growth ? ['profile', 'goals', 'progress'] : ['profile'];
  return (
    <li>
      <div role="group" aria-labelledby={nameId}>
        <div className="flex items-center gap-3">
          <Avatar id={counsellor.id} name={counsellor.name} src={counsellor.photoUrl} size="sm" />
          <div className="min-w-0">
            <h3 id={nameId} className="text-lg wrap-anywhere">
              {counsellor.name}
            </h3>
            <p className="text-sm text-quiet">{counsellor.title}</p>
          </div>
        </div>
        <ul className="mt-1 divide-y divide-line">
          {offered.map((part) => (
            <li key={part}>
              <Switch
                label={parts[part]()}
                checked={pressed[part] ?? shared[part]}
                onChange={({ target }) => {
                  setPressed((before) => ({ ...before, [part]: target.checked }));
                  mutate({ part, on: target.checked });
                }}
              />
            </li>
          ))}
        </ul>
      </div>
    </li>
  );
}
