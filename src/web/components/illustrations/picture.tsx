import type { ReactNode } from 'react';
import { classes } from '../classes.ts';

/**
 * SVG frame for illustrations. Theme colors follow light and dark mode; purely decorative, hidden from screen readers.
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
