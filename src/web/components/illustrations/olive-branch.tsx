import { Picture } from './picture.tsx';

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
