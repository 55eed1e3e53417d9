import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { StatCard } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import type { Hue } from '#/web/components/hues.ts';
import { IconTile } from '#/web/components/icon-tile.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';

/** An undefined `value` renders a placeholder. */
export interface Figure {
  label: string;
  value?: ReactNode;
  note?: ReactNode;
  icon: ReactNode;
  hue: Hue;
}

const columns: Readonly<Partial<Record<number, string>>> = {
  3: 'sm:grid-cols-3',
  5: 'sm:grid-cols-3 lg:grid-cols-5',
};

export function Figures({
  figures,
  label: name = m.home_figures(),
}: {
  figures: readonly Figure[];
  label?: string;
}) {
  return (
    <section aria-label={name}>
      <dl
        className={classes(
          'grid grid-cols-[repeat(auto-fit,minmax(min(max(8rem,34%),100%),1fr))] gap-3 sm:grid-cols-2 sm:gap-4',
          figures.length % 2 === 1 && 'max-sm:[&>:first-child]:col-span-full',
          columns[figures.length] ?? 'lg:grid-cols-4',
        )}
      >
        {figures.map(({ label, value, note, icon, hue }) => (
          <StatCard
            key={label}
            label={label}
            value={value ?? <Skeleton className="my-1 h-7 w-14" />}
            note={note}
            icon={<IconTile hue={hue}>{icon}</IconTile>}
          />
        ))}
      </dl>
    </section>
  );
}

/** The same in little space. */
export function FigureStrip({ figures }: { figures: readonly Pick<Figure, 'label' | 'value'>[] }) {
  return (
    <section aria-label={m.home_figures()}>
      <dl
        className={classes(
          'grid grid-cols-[repeat(auto-fit,minmax(min(9.5rem,100%),1fr))] gap-px overflow-hidden rounded-card border border-line bg-line shadow-soft',
          figures.length % 2 === 1 && '[&>:first-child]:col-span-full',
        )}
      >
        {figures.map(({ label, value }) => (
          <div
            key={label}
            className="flex flex-row-reverse items-center justify-end gap-3 bg-card px-4 py-2.5"
          >
            <dt className="min-w-0 text-sm text-quiet">{label}</dt>
            <dd className="min-w-8 font-serif text-xl font-semibold tabular-nums">
              {value ?? <Skeleton className="h-6 w-8" />}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
