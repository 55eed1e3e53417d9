import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  Bell,
  CalendarSync,
  HeartPulse,
  MessageCircle,
  ShieldCheck,
  Smartphone,
  UsersRound,
  Video,
  type LucideIcon,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Switch } from '#/web/components/choice.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useOwnZone } from '#/web/own-zone.tsx';
import { dateText, timeText } from '#/web/times.ts';
import type { FlagId, FlagView } from '../flags/contract.ts';
import { isAwaited } from '../flags/rules.ts';
import { FlagScopeForm, type PeoplePicker } from './flag-scope-form.tsx';
import { flagFailure, isOutdated, roleText, scopeText } from './flag-texts.ts';

const icons: Readonly<Record<FlagId, LucideIcon>> = {
  video_sessions: Video,
  group_sessions: UsersRound,
  direct_messaging: MessageCircle,
  calendar_integration: CalendarSync,
  push_notifications: Bell,
  two_factor_authentication: ShieldCheck,
  mobile_app_access: Smartphone,
  wellness_tracking: HeartPulse,
};

export function FlagCard({
  flag,
  personName,
  peoplePicker,
  twoFactor,
}: {
  flag: FlagView;
  personName: (id: string) => ReactNode;
  peoplePicker: PeoplePicker;
  twoFactor: ReactNode;
}) {
  const [editing, setEditing] = useState(false);
  const turn = useFlagSwitch(flag);
  const Icon = icons[flag.id];
  return (
    <article aria-label={flag.name} className="px-4 py-1.5 sm:px-5">
      <div className="flex items-start gap-3">
        <Icon aria-hidden className="mt-2.5 size-5 shrink-0 text-primary" />
        <Switch
          className="flex-1 py-2!"
          label={flag.name}
          description={flag.description}
          // Optimistic while the request runs.
          checked={turn.isPending ? turn.variables : flag.enabled}
          onChange={({ target }) => {
            if (!turn.isPending) turn.mutate(target.checked);
          }}
        />
      </div>
      <div className="-mt-2 flex items-end justify-between gap-3">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 py-2">
          <Badge tone="primary">{scopeText[flag.scope]()}</Badge>
          {flag.scope === 'role_based' &&
            flag.roles.map((role) => <Badge key={role}>{roleText[role]()}</Badge>)}
          {flag.scope === 'user_specific' && (
            <Badge>{m.flags_people({ count: flag.personIds.length })}</Badge>
          )}
          {flag.experimental && <Badge tone="gold">{m.flags_experimental()}</Badge>}
          {isAwaited(flag.id) && <Badge tone="gold">{m.flags_awaited()}</Badge>}
          <p className="text-sm text-quiet">
            <Modified flag={flag} personName={personName} />
          </p>
        </div>
        <Button
          about={m.web_of_name({ name: flag.name })}
          variant="quiet"
          size="sm"
          className="-mr-3.5 shrink-0"
          onClick={() => setEditing(true)}
        >
          {m.flags_edit_scope()}
        </Button>
      </div>
      {flag.id === 'two_factor_authentication' && <div className="mt-1 mb-2.5">{twoFactor}</div>}
      {editing && <FlagScopeForm flag={flag} peoplePicker={peoplePicker} onClose={() => setEditing(false)} />}
    </article>
  );
}

function Modified({
  flag: { modified },
  personName,
}: Pick<Parameters<typeof FlagCard>[0], 'flag' | 'personName'>) {
  const zone = useOwnZone();
  if (!modified) return m.flags_as_delivered();
  const { at, byId } = modified;
  return (
    <>
      {m.flags_modified()}{' '}
      <time dateTime={at}>
        {dateText(at, zone)}, {timeText(at, zone)}
      </time>
      {' · '}
      {byId === null ? m.web_erased_account() : personName(byId)}
    </>
  );
}

function useFlagSwitch({ id: flagId, name, version }: FlagView) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (enabled: boolean) => api.flags.turn.call({ flagId, version, enabled }),
    onSuccess: async (flags, enabled) => {
      // Cancels older fetches, which would restore old data.
      await queries.cancelQueries({ queryKey: api.flags.list.key() });
      queries.setQueryData(api.flags.list.queryKey(), flags);
      toast.done(
        enabled ? m.flags_enabled_title() : m.flags_disabled_title(),
        enabled ? m.flags_enabled_text({ name }) : m.flags_disabled_text({ name }),
      );
    },
    onError: async (error) => {
      if (isOutdated(error)) await queries.invalidateQueries({ queryKey: api.flags.list.key() });
      toast.failed(m.web_save_failed(), flagFailure(error));
    },
  });
}
