import { Ellipsis } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { m } from '#/texts/messages.js';
import { classes } from '#/web/components/classes.ts';
import { Menu } from '#/web/components/menu.tsx';

export interface Control {
  id: string;
  label: string;
  icon: ReactNode;
  onPress: () => void;
  pressed?: boolean;
  /** Screen reader text, such as an unread count. */
  note?: string | undefined;
  tone?: 'off' | 'news' | 'leave' | undefined;
  ref?: Ref<HTMLButtonElement>;
}

export function CallControls({
  always,
  more,
  last,
}: {
  always: readonly Control[];
  more: readonly Control[];
  last: readonly Control[];
}) {
  return (
    <div
      role="group"
      data-bar
      aria-label={m.video_controls()}
      className="flex items-stretch justify-center border-t border-line bg-card px-1 pt-1.5 lg:gap-1 lg:px-2 pb-[max(0.375rem,env(safe-area-inset-bottom))]"
    >
      {always.map((control) => (
        <ControlButton key={control.id} control={control} />
      ))}
      {more.map((control) => (
        <ControlButton key={control.id} control={control} className="max-lg:hidden" />
      ))}
      <div className="relative flex min-w-0 flex-1 lg:hidden">
        <Menu
          items={more.map(({ label, icon, onPress, tone }) => ({
            label,
            icon,
            onSelect: onPress,
            ...(tone === 'leave' ? { tone: 'destructive' as const } : {}),
          }))}
          trigger={
            <button type="button" className={look}>
              <Ellipsis aria-hidden className="size-5.5" />
              <span className="max-[22.5rem]:sr-only">{m.video_more()}</span>
            </button>
          }
        />
      </div>
      {last.map((control) => (
        <ControlButton key={control.id} control={control} />
      ))}
    </div>
  );
}

const look =
  'relative flex min-h-13 w-full min-w-11 flex-col items-center justify-center gap-0.5 rounded-control px-0.5 text-sm font-semibold hover:bg-sunken focus-visible:-outline-offset-3';

function ControlButton({
  control: { label, icon, onPress, pressed, note, tone, ref },
  className,
}: {
  control: Control;
  className?: string;
}) {
  return (
    <button
      ref={ref}
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className={classes(
        look,
        'flex-1 lg:w-auto lg:flex-none lg:px-3',
        '[&_svg]:size-5.5 [&_svg]:shrink-0',
        tone === 'off' && 'text-clay',
        tone === 'leave' && 'bg-clay text-on-clay hover:bg-clay-strong',
        className,
      )}
    >
      {icon}
      <span className="max-w-full truncate max-[22.5rem]:sr-only">{label}</span>
      {note && <span className="sr-only">, {note}</span>}
      {tone === 'news' && (
        <span aria-hidden className="absolute top-1 left-1/2 ml-2 size-2.5 rounded-full bg-gold" />
      )}
    </button>
  );
}
