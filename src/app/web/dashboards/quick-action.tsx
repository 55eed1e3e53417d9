import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { Section } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import type { Hue } from '#/web/components/hues.ts';
import { IconTile } from '#/web/components/icon-tile.tsx';
import { WhenHydrated } from '../when-hydrated.tsx';

const frame =
  'flex h-full w-full items-center rounded-card border border-line bg-card text-left shadow-soft transition-colors duration-150 hover:bg-sunken';

export function QuickAction({
  icon,
  hue,
  title,
  text,
  ...what
}: {
  icon: ReactNode;
  hue: Hue;
  title: string;
  /** Without a text it takes little space. */
  text?: ReactNode;
} & ({ to: string } | { onPress: () => void })) {
  const look = classes(frame, text ? 'gap-4 p-4' : 'gap-3 px-3 py-2');
  const face = text ? (
    <>
      <IconTile hue={hue} size="lg">
        {icon}
      </IconTile>
      <span className="min-w-0 flex-1">
        <span className="block font-semibold">{title}</span>
        <span className="block text-sm text-quiet">{text}</span>
      </span>
      <ChevronRight className="size-5 shrink-0 text-quiet" />
    </>
  ) : (
    <>
      <IconTile hue={hue}>{icon}</IconTile>
      <span className="min-w-0 flex-1 leading-tight font-semibold">{title}</span>
    </>
  );
  if ('to' in what)
    return (
      <Link to={what.to} className={look}>
        {face}
      </Link>
    );
  return (
    <WhenHydrated>
      <button type="button" onClick={what.onPress} className={look}>
        {face}
      </button>
    </WhenHydrated>
  );
}

export function QuickActions({ list, children }: { list: string; children: ReactNode }) {
  return (
    <Section titleId="quick-actions" title={m.home_quick_actions()} titleClassName="mb-4 text-xl">
      <ul className={classes('grid gap-3', list)}>{children}</ul>
    </Section>
  );
}
