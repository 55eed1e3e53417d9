import type { ReactNode } from 'react';
import { classes } from './classes.ts';

/*
 * Our own pictures, in the theme's colours, so that they follow light and dark. They decorate: whatever
 * they stand beside says it in words.
 */

function Picture({
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

/** A path that winds through low hills towards a rising sun: a beginning. */
export function PathIllustration({ className }: { className?: string }) {
  return (
    <Picture width={400} height={300} className={className}>
      <clipPath id="path-frame">
        <rect width="400" height="300" rx="10" />
      </clipPath>
      <g clipPath="url(#path-frame)">
        <rect width="400" height="300" className="fill-gold-soft" />
        <circle cx="262" cy="124" r="78" className="fill-wheat" />
        <circle cx="262" cy="124" r="46" className="fill-gold" />
        <path d="M0 150c48-28 92-34 142-14 40 16 76 20 122 2 52-20 92-18 136 4v160H0z" className="fill-sea" />
        <path d="M0 190c60-32 118-26 178-8 70 22 140 6 222-22v142H0z" className="fill-leaf" />
        <path d="M0 236c92-36 168-30 236-18 66 12 116 2 164-16v100H0z" className="fill-sage opacity-45" />
        <path
          d="M134 302c-6-30 30-44 70-52 44-8 58-18 36-30-20-10-34-16-14-28 8-5 16-8 24-10 4-1 6 2 2 4-14 7-20 13-2 22 34 17 32 36-8 52-32 13-44 24-40 42z"
          className="fill-paper dark:fill-on-wheat dark:opacity-70"
        />
        <g className="stroke-sage" strokeWidth="3">
          <path d="M64 232v-52" />
          <path d="M330 214v-40" />
        </g>
        <path d="M64 134c20 14 24 34 16 50-6 11-26 11-32 0-8-16-4-36 16-50z" className="fill-sage" />
        <path d="M330 138c15 11 19 26 12 38-5 9-19 9-24 0-7-12-3-27 12-38z" className="fill-sage" />
        <path d="M352 148c12 9 15 21 10 31-4 7-16 7-20 0-5-10-2-22 10-31z" className="fill-sage opacity-70" />
        <g className="stroke-quiet" strokeWidth="2.5">
          <path d="M108 74c5-6 11-6 15 0 4-6 10-6 15 0" />
          <path d="M150 100c4-5 9-5 12 0 3-5 8-5 12 0" />
        </g>
      </g>
    </Picture>
  );
}

/** An open window with light falling on the sill and a plant on it: a quiet room. */
export function WindowIllustration({ className }: { className?: string }) {
  return (
    <Picture width={320} height={240} className={className}>
      <path d="M36 214h248" className="stroke-line" strokeWidth="4" />
      <path d="M92 190V96a68 68 0 0 1 136 0v94z" className="fill-sea" />
      <circle cx="186" cy="92" r="22" className="fill-gold" />
      <path d="M92 150c28-18 48-16 72-6 24 9 42 6 64-6v52H92z" className="fill-leaf" />
      <path d="M92 170c34-14 60-8 84-2 20 5 36 3 52-4v26H92z" className="fill-sage opacity-45" />
      <g className="stroke-control" strokeWidth="5">
        <path d="M92 190V96a68 68 0 0 1 136 0v94z" />
        <path d="M160 30v160M92 112h136" strokeWidth="3.5" />
      </g>
      <path
        d="M74 190h172a5 5 0 0 1 5 5v7H69v-7a5 5 0 0 1 5-5z"
        className="fill-wheat stroke-control"
        strokeWidth="2.5"
      />
      <path
        d="M66 40c18 30 20 92 10 148-12 2-24 2-34-2 10-48 8-112 24-146z"
        className="fill-dusk opacity-80"
      />
      <path
        d="M254 40c-18 30-20 92-10 148 12 2 24 2 34-2-10-48-8-112-24-146z"
        className="fill-dusk opacity-80"
      />
      <path d="M44 38h232" className="stroke-control" strokeWidth="4" />
      <g className="stroke-sage" strokeWidth="3">
        <path d="M202 164c-1-14 0-24 1-34M202 158c-9-6-14-12-16-22M203 154c8-5 13-11 15-20" />
      </g>
      <path
        d="M203 132c-6-8-5-16 0-22 6 6 7 14 0 22zM186 138c-9-2-13-8-13-16 8 0 14 7 13 16zM217 136c9-2 13-8 13-16-8 0-14 7-13 16z"
        className="fill-sage"
      />
      <path d="M188 164h28l-4 26h-20z" className="fill-rose stroke-on-rose" strokeWidth="2.5" />
    </Picture>
  );
}

/** A small table with two cups between two chairs: a conversation. */
export function TableIllustration({ className }: { className?: string }) {
  return (
    <Picture width={320} height={240} className={className}>
      <circle cx="160" cy="112" r="96" className="fill-gold-soft" />
      <path d="M28 216h264" className="stroke-line" strokeWidth="4" />
      <path
        d="M40 100c-2-16 20-18 24-4l14 58h34c10 0 12 14 2 16l-46 2c-8 0-12-4-14-10z"
        className="fill-sea stroke-on-sea"
        strokeWidth="2.5"
      />
      <path d="M66 172l-8 42M104 170l6 44" className="stroke-on-sea" strokeWidth="4" />
      <path
        d="M280 100c2-16-20-18-24-4l-14 58h-34c-10 0-12 14-2 16l46 2c8 0 12-4 14-10z"
        className="fill-rose stroke-on-rose"
        strokeWidth="2.5"
      />
      <path d="M254 172l8 42M216 170l-6 44" className="stroke-on-rose" strokeWidth="4" />
      <path d="M160 146v64M138 214c2-8 10-12 22-12s20 4 22 12" className="stroke-control" strokeWidth="5" />
      <rect
        x="106"
        y="134"
        width="108"
        height="12"
        rx="6"
        className="fill-wheat stroke-control"
        strokeWidth="2.5"
      />
      <path
        d="M122 112h26v10c0 7-5 12-13 12s-13-5-13-12z"
        className="fill-card stroke-primary"
        strokeWidth="2.5"
      />
      <path d="M122 115c-9-1-9 12 1 12" className="stroke-primary" strokeWidth="2.5" />
      <path
        d="M172 112h26v10c0 7-5 12-13 12s-13-5-13-12z"
        className="fill-card stroke-primary"
        strokeWidth="2.5"
      />
      <path d="M198 115c9-1 9 12-1 12" className="stroke-primary" strokeWidth="2.5" />
      <g className="stroke-gold-edge" strokeWidth="2.5">
        <path d="M131 102c-4-6 4-9 0-15M139 102c-4-6 4-9 0-15M181 102c-4-6 4-9 0-15M189 102c-4-6 4-9 0-15" />
      </g>
      <path d="M160 18v26" className="stroke-control" strokeWidth="3" />
      <path
        d="M160 42c14 0 24 9 26 22h-52c2-13 12-22 26-22z"
        className="fill-gold stroke-gold-edge"
        strokeWidth="2.5"
      />
    </Picture>
  );
}

/** Two open hands that hold a light: care. */
export function HandsIllustration({ className }: { className?: string }) {
  return (
    <Picture width={320} height={240} className={className}>
      <circle cx="160" cy="92" r="80" className="fill-gold-soft" />
      <circle cx="160" cy="92" r="50" className="fill-wheat" />
      <path
        d="M160 52c16 20 25 32 25 46 0 15-11 26-25 26s-25-11-25-26c0-14 9-26 25-46z"
        className="fill-gold stroke-gold-edge"
        strokeWidth="2.5"
      />
      <path
        d="M160 84c7 9 11 15 11 22 0 7-5 12-11 12s-11-5-11-12c0-7 4-13 11-22z"
        className="fill-gold-soft"
      />
      <g className="fill-rose stroke-on-rose" strokeWidth="2.5">
        <path d="M62 118c8-4 14 0 18 8l10 22c12 2 26 4 38 12 12 8 20 20 22 34l2 30H98c-4-20-16-28-28-40-12-13-16-28-14-44 1-12 1-20 6-22z" />
        <path d="M258 118c-8-4-14 0-18 8l-10 22c-12 2-26 4-38 12-12 8-20 20-22 34l-2 30h54c4-20 16-28 28-40 12-13 16-28 14-44-1-12-1-20-6-22z" />
      </g>
      <g className="stroke-on-rose" strokeWidth="2.5">
        <path d="M90 148c2 12 12 18 26 22M230 148c-2 12-12 18-26 22" />
      </g>
    </Picture>
  );
}

/** An olive branch: peace. Wide and low, to close a section or a page. */
export function OliveBranchIllustration({ className }: { className?: string }) {
  return (
    <Picture width={320} height={120} className={className}>
      <path d="M18 84C80 96 150 92 204 70c34-14 60-32 96-42" className="stroke-sage" strokeWidth="3" />
      <g className="fill-leaf stroke-sage" strokeWidth="2.5">
        <path d="M58 90c2-20 14-32 34-36 0 20-12 34-34 36z" />
        <path d="M104 91c2-22 14-36 36-42 1 22-12 38-36 42z" />
        <path d="M154 86c0-22 12-38 34-46 3 22-9 40-34 46z" />
        <path d="M204 70c-2-20 8-36 28-46 5 20-4 38-28 46z" />
        <path d="M246 50c-4-17 3-31 19-42 7 16 0 33-19 42z" />
        <path d="M80 91c16 2 27 10 33 23-17 3-29-6-33-23z" />
        <path d="M180 79c18-2 30 4 39 16-16 7-31 1-39-16z" />
        <path d="M226 60c17-5 31-1 42 10-15 9-31 6-42-10z" />
        <path d="M262 41c13-5 25-2 34 7-11 8-24 6-34-7z" />
      </g>
      <g className="fill-gold-soft stroke-gold-edge" strokeWidth="2.5">
        <path d="M134 91l3 7" />
        <ellipse cx="140" cy="108" rx="8" ry="10" />
        <path d="M38 87l-2 8" />
        <ellipse cx="35" cy="104" rx="7" ry="9" />
      </g>
    </Picture>
  );
}
