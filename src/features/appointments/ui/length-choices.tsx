import limits from 'virtual:limits/appointments.book';
import type { ServiceSummary } from '#/features/catalogue/contract.ts';
import { m } from '#/texts/messages.js';
import { ChoiceGroup } from '#/web/components/choice.tsx';
import { Field, Select } from '#/web/components/field.tsx';
import { Options } from '#/web/components/options.tsx';
import type { Recurrence } from '../appointment/contract.ts';
import { recurrenceText, minutesText } from './session-texts.ts';
import { priceOf } from '#/features/catalogue/prices/rules.ts';
import { priceText } from '#/features/catalogue/rules.ts';

const { min = 2, max = 2 } = limits.sessions ?? {};
export const seriesLengths = Array.from({ length: max - min + 1 }, (_, index) => min + index);

interface Lengths {
  durationMinutes?: number;
  recurrence?: Recurrence;
  sessions?: number;
}

/** Session length, recurrence and number. */
export function LengthChoices({
  service,
  durations,
  durationMinutes,
  recurrence,
  sessions,
  onlyOnce = false,
  onChange,
}: Required<Lengths> & {
  service: ServiceSummary | null;
  durations: readonly number[];
  onlyOnce?: boolean;
  onChange: (change: Lengths) => void;
}) {
  return (
    <>
      <div className="grid gap-x-8 gap-y-7 sm:grid-cols-2">
        <ChoiceGroup
          layout="chips"
          legend={m.booking_duration()}
          choices={durations.map((minutes) => ({
            value: String(minutes),
            label: <LengthLabel service={service} minutes={minutes} />,
          }))}
          value={String(durationMinutes)}
          onChange={(minutes) => onChange({ durationMinutes: Number(minutes) })}
        />
        {!onlyOnce && (
          <ChoiceGroup
            layout="chips"
            legend={m.booking_recurrence()}
            choices={(['one_time', 'weekly', 'biweekly'] as const).map((value) => ({
              value,
              label: recurrenceText(value),
            }))}
            value={recurrence}
            onChange={(next) => onChange({ recurrence: next })}
          />
        )}
      </div>
      {recurrence !== 'one_time' && (
        <Field
          label={m.booking_sessions()}
          hint={recurrence === 'weekly' ? m.booking_sessions_weekly() : m.booking_sessions_biweekly()}
          className="sm:max-w-xs"
        >
          <Select value={sessions} onChange={({ target }) => onChange({ sessions: Number(target.value) })}>
            <Options of={seriesLengths} text={(count) => m.booking_sessions_count({ count })} />
          </Select>
        </Field>
      )}
    </>
  );
}

function LengthLabel({ service, minutes }: { service: ServiceSummary | null; minutes: number }) {
  return (
    <span>
      <span className="block">{minutesText(minutes)}</span>
      {service && (
        <>
          <span className="sr-only"> · </span>
          <span className="block">{priceText(priceOf(service, minutes))}</span>
        </>
      )}
    </span>
  );
}
