import { Picture } from './picture.tsx';

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
