import type { ReactNode } from 'react';
import { classes } from '../classes.ts';

/**
 * The frame of our own pictures, which use the theme's colours and so follow light and dark. They decorate:
 * whatever they stand beside says it in words.
 */
export function Picture({
  width,
  height,
  className,
  children,
}: {
  width: number;
  height: number;
  className?: string;
  children: ReactNode;
}) {
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden
      focusable="false"
      fill="none"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={classes('block h-auto w-full', className)}
    >
      {children}
    </svg>
  );
}
