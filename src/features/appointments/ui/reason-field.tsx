import limits from 'virtual:limits/appointments.cancel';
import { m } from '#/texts/messages.js';
import { CrisisHelp } from '#/web/components/crisis-help.tsx';
import { Field, Textarea } from '#/web/components/field.tsx';

/** Visible to the other party. */
export function ReasonField({ value, onChange }: { value: string; onChange: (reason: string) => void }) {
  return (
    <>
      <Field label={m.web_reason()} optional hint={m.booking_reason_hint()}>
        <Textarea
          rows={2}
          maxLength={limits.reason?.max}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      </Field>
      <CrisisHelp text={value} className="mt-3" />
    </>
  );
}
