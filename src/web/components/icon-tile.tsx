import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { hues } from './hues.ts';
import type { Hue } from './hues.ts';

const sizes = { md: 'size-10 [&_svg]:size-5', lg: 'size-13 [&_svg]:size-6.5' };

export function IconTile({
  hue,
  size = 'md',
  children,
}: {
  hue: Hue;
  size?: 'md' | 'lg';
  children: ReactNode;
}) {
  return (
    <span
      aria-hidden
      className={classes('grid shrink-0 place-items-center rounded-card', sizes[size], hues[hue])}
    >
      {children}
    </span>
  );
}
