import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { FormDialog } from '#/web/components/form-dialog.tsx';
import { SeveralChoices } from '#/web/components/several-choices.tsx';
import { useForm } from '#/web/form.tsx';
import { weekdayText } from './day-texts.ts';

const workdays = ['1', '2', '3', '4', '5'];
const everyDay = [...workdays, '6', '7'];

/** Copies one day's hours to the chosen days. */
export function CopyDialog({
  day,
  onCopy,
  onClose,
}: {
  day: number;
  onCopy: (days: number[]) => void;
  onClose: () => void;
}) {
  const form = useForm<{ days: string[] }>({
    values: { days: [] },
    check: ({ days }): { days?: string } => (days.length === 0 ? { days: m.availability_copy_none() } : {}),
    save: async ({ days }) => onCopy(days.map(Number)),
  });
  const { value, onChange } = form.choice('days');
  const others = (days: readonly string[]) => days.filter((one) => one !== String(day));
  return (
    <FormDialog
      title={m.availability_copy_title({ day: weekdayText(day) })}
      description={m.availability_copy_text()}
      submitLabel={m.availability_copy()}
      failedTitle={m.web_save_failed()}
      form={form}
      onClose={onClose}
    >
      <div>
        <SeveralChoices
          legend={m.availability_copy_to()}
          error={form.errorOf('days')}
          choices={others(everyDay).map((one) => ({ value: one, label: weekdayText(Number(one)) }))}
          value={value}
          onChange={onChange}
        />
        <div className="mt-2 -ml-3.5 flex flex-wrap">
          <Button variant="quiet" size="sm" onClick={() => onChange(others(workdays))}>
            {m.availability_copy_workdays()}
          </Button>
          <Button variant="quiet" size="sm" onClick={() => onChange(others(everyDay))}>
            {m.availability_copy_all()}
          </Button>
        </div>
      </div>
    </FormDialog>
  );
}
