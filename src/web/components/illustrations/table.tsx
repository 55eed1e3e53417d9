import { Picture } from './picture.tsx';

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
