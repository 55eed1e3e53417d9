import { useState, type ReactNode } from 'react';
import limits from 'virtual:limits/attendees.accept';
import type { Viewer } from '#/features/accounts/contract.ts';
import type { Invitation } from '#/features/attendees/contract.ts';
import type { AppError } from '#/kernel/errors.ts';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { Consent } from '#/web/components/consent.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { FailureAlert, Notice } from '#/web/components/notice.tsx';
import { isRefusal } from '#/web/failures.ts';
import { useForm } from '#/web/form.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import { shortDateText, timeText } from '#/web/times.ts';
import { acceptFailureText } from './failure-text.ts';

export function AcceptForm({
  token,
  session,
  viewer,
  timeZone,
  onAnswer,
  children,
}: {
  token: string;
  session: NonNullable<Invitation['session']>;
  viewer: Viewer;
  timeZone: string;
  onAnswer: (answered: Invitation | null) => void;
  children: ReactNode;
}) {
  const hydrated = useHydrated();
  const [clashes, setClashes] = useState<Clash[]>([]);
  const form = useForm({
    values: { name: viewer.fullName.slice(0, limits.name?.max), agreed: false },
    limits,
    sentence: (field) => (field === 'name' ? m.invitation_name_required() : undefined),
    check: ({ agreed }): { agreed?: string } => (agreed ? {} : { agreed: m.guests_consent_required() }),
    failureText: acceptFailureText,
    save: async ({ name }) => {
      setClashes([]);
      try {
        await api.attendees.accept.call({ token, name, startsAt: session.startsAt, agreed: true });
        onAnswer({ state: 'accepted', session });
      } catch (error) {
        if (isRefusal(error)) {
          setClashes(clashesIn(error));
          // The displayed invitation is outdated.
          if (error.reason.startsWith('invitation_') || error.code === 'not_found') onAnswer(null);
        }
        throw error;
      }
    },
  });
  const { register, choice, errorOf, failure, busy } = form;
  const agreed = choice('agreed');
  return (
    <Card as="section" className="mt-8">
      <form {...form.props} className="grid gap-5">
        <Field label={m.invitation_name()} error={errorOf('name')} className="sm:max-w-96">
          <TextInput {...register('name')} autoComplete="name" disabled={!hydrated} />
        </Field>
        <Consent
          checked={agreed.value}
          onChange={agreed.onChange}
          error={errorOf('agreed')}
          disabled={!hydrated}
        >
          {m.invitation_agree()}
        </Consent>
        <FailureAlert text={clashes.length === 0 && failure} />
        {clashes.length > 0 && <Clashes clashes={clashes} timeZone={timeZone} />}
        <div className="flex flex-wrap gap-3 max-sm:*:w-full">
          <Button type="submit" busy={busy} disabled={!hydrated}>
            {m.claim_accept()}
          </Button>
          {children}
        </div>
      </form>
    </Card>
  );
}

interface Clash {
  startsAt: string;
  endsAt: string;
}

function Clashes({ clashes, timeZone }: { clashes: readonly Clash[]; timeZone: string }) {
  return (
    <Notice tone="destructive" title={m.invitation_clash_title()}>
      <p>{m.invitation_clash_text()}</p>
      <ul className="my-1.5 list-disc pl-5">
        {clashes.map(({ startsAt, endsAt }) => (
          <li key={startsAt}>
            {m.invitation_clash_time({
              date: shortDateText(startsAt, timeZone),
              start: timeText(startsAt, timeZone),
              end: timeText(endsAt, timeZone),
            })}
          </li>
        ))}
      </ul>
      <p>{m.invitation_clash_nobody()}</p>
    </Notice>
  );
}

function clashesIn({ data }: AppError): Clash[] {
  const { clashes } = data;
  return Array.isArray(clashes) ? (clashes as Clash[]) : [];
}
