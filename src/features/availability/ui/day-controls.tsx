import { Copy } from 'lucide-react';
import type { Ref } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Switch } from '#/web/components/choice.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { weekdayText } from './day-texts.ts';
import type { TypedDay } from './week-draft.ts';

export interface DayActions {
  onSwitch: (day: TypedDay) => void;
  /** Asks for the days to copy to. */
  onCopy: (day: TypedDay) => void;
}

export function DaySwitch({
  day,
  ref,
  onSwitch,
}: { day: TypedDay; ref?: Ref<HTMLInputElement> } & Pick<DayActions, 'onSwitch'>) {
  return (
    <Switch
      ref={ref}
      className="gap-0!"
      label={<VisuallyHidden>{m.availability_day_open({ day: weekdayText(day.weekday) })}</VisuallyHidden>}
      checked={!day.off}
      onChange={() => onSwitch(day)}
    />
  );
}

export function CopyButton({ day, onCopy }: { day: TypedDay } & Pick<DayActions, 'onCopy'>) {
  return (
    <Button
      variant="quiet"
      size="icon"
      aria-label={m.availability_copy_day({ day: weekdayText(day.weekday) })}
      title={m.availability_copy_to()}
      onClick={() => onCopy(day)}
    >
      <Copy />
    </Button>
  );
}
