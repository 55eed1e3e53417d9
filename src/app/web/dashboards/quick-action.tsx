import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { Section } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import type { Hue } from '#/web/components/hues.ts';
import { IconTile } from '#/web/components/icon-tile.tsx';
import { WhenHydrated } from '#/web/components/when-hydrated.tsx';

const frame =
  'flex h-full w-full flex-wrap items-center gap-x-3 gap-y-1 rounded-card border border-line bg-card px-3 py-2 text-left shadow-soft transition-colors duration-150 hover:bg-sunken';

export function QuickAction({
  icon,
  hue,
  title,
  ...what
}: {
  icon: ReactNode;
  hue: Hue;
  title: string;
} & ({ to: string } | { onPress: () => void })) {
  const face = (
    <>
      <IconTile hue={hue}>{icon}</IconTile>
      <span className="min-w-0 flex-1 basis-22 leading-tight font-semibold">{title}</span>
    </>
  );
  if ('to' in what)
    return (
      <Link to={what.to} className={frame}>
        {face}
      </Link>
    );
  return (
    <WhenHydrated>
      <button type="button" onClick={what.onPress} className={frame}>
        {face}
      </button>
    </WhenHydrated>
  );
}

export function QuickActions({ list, children }: { list: string; children: ReactNode }) {
  return (
    <Section titleId="quick-actions" title={m.web_quick_actions()} titleClassName="mb-4 text-xl">
      <ul className={classes('grid gap-3', list)}>{children}</ul>
    </Section>
  );
}
