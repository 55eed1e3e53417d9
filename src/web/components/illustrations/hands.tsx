import { Picture } from './picture.tsx';

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
