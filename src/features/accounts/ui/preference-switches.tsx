import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Switch } from '#/web/components/choice.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { Profile } from '../contract.ts';
import { preferencesIn, type Preference, type PreferenceSection } from '../rules.ts';
import { accountFailureText } from './failure-text.ts';
import { useSession } from './session.tsx';

const texts: Record<Preference, { label: () => string; description: () => string }> = {
  sessionReminders: {
    label: m.accounts_pref_reminders,
    description: m.accounts_pref_reminders_text,
  },
  dailyDevotionals: {
    label: m.accounts_pref_devotionals,
    description: m.accounts_pref_devotionals_text,
  },
  communityUpdates: {
    label: m.accounts_pref_updates,
    description: m.accounts_pref_updates_text,
  },
  keepDiscreet: { label: m.accounts_pref_discreet, description: m.accounts_pref_discreet_text },
};

export function PreferenceSwitches({ profile, section }: { profile: Profile; section: PreferenceSection }) {
  const queries = useQueryClient();
  const { refresh } = useSession();
  const key = api.accounts.profile.queryKey();
  /** `saved` is restored after a failure. */
  const latest = useRef<Partial<Record<Preference, { press: number; saved: boolean }>>>({});

  const { mutate } = useMutation({
    mutationFn: ({ preference, on }: { preference: Preference; on: boolean; press: number }) =>
      api.accounts.updatePreferences.call({ [preference]: on }),
    // Sends changes one at a time, in order.
    scope: { id: 'preferences' },
    onSuccess: async (_, { preference, on, press }) => {
      const last = latest.current[preference]!;
      last.saved = on;
      if (last.press !== press) return;
      delete latest.current[preference];
      const label = texts[preference].label();
      toast.done(on ? m.accounts_pref_on({ label }) : m.accounts_pref_off({ label }));
      await refresh();
    },
    onError: (error, { preference, press }) => {
      const last = latest.current[preference]!;
      if (last.press !== press) return;
      delete latest.current[preference];
      show(preference, last.saved);
      toast.failed(m.accounts_pref_failed({ label: texts[preference].label() }), accountFailureText(error));
    },
  });
  const show = (preference: Preference, on: boolean) =>
    queries.setQueryData<Profile>(key, (last) => last && { ...last, [preference]: on });

  return (
    <ul className="divide-y divide-line">
      {preferencesIn(section).map((preference) => (
        <li key={preference} className="py-1">
          <Switch
            label={texts[preference].label()}
            description={texts[preference].description()}
            checked={profile[preference]}
            onChange={({ target }) => {
              const last = latest.current[preference];
              const press = (last?.press ?? 0) + 1;
              latest.current[preference] = { press, saved: last?.saved ?? profile[preference] };
              show(preference, target.checked);
              mutate({ preference, on: target.checked, press });
            }}
          />
        </li>
      ))}
    </ul>
  );
}
