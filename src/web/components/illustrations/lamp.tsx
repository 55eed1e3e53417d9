import { Picture } from './picture.tsx';

export function LampIllustration() {
  return (
    <Picture width={320} height={240}>
      <circle cx="128" cy="104" r="94" className="fill-gold-soft" />
      <path d="M26 212h268" className="stroke-line" strokeWidth="4" />
      <path d="M128 82l-74 116h148z" className="fill-gold opacity-35" />
      <path d="M128 14v24" className="stroke-control" strokeWidth="4" />
      <path
        d="M128 36c22 0 40 18 42 44H86c2-26 20-44 42-44z"
        className="fill-sea stroke-on-sea"
        strokeWidth="2.5"
      />
      <path d="M116 80a12 12 0 0 0 24 0z" className="fill-gold stroke-gold-edge" strokeWidth="2.5" />
      <path
        d="M70 184c22-12 44-12 66 2 22-14 44-14 66-2v26c-22-12-44-12-66 2-22-14-44-14-66-2z"
        className="fill-card stroke-primary"
        strokeWidth="2.5"
      />
      <path
        d="M136 186v26M86 188c12-5 24-4 36 2M150 190c12-6 24-7 36-2"
        className="stroke-primary"
        strokeWidth="2.5"
      />
      <path d="M232 212v-34h44v34z" className="fill-rose stroke-on-rose" strokeWidth="2.5" />
      <g className="stroke-sage" strokeWidth="2.5">
        <path d="M254 178c0-24 2-38 8-56" />
        <path
          d="M255 156c-16 0-24-8-26-20 15-2 25 6 26 20zM258 142c15-2 23-12 22-25-14 1-23 11-22 25zM262 122c-8-10-7-22 2-31 9 9 8 22-2 31z"
          className="fill-sage-soft"
        />
      </g>
    </Picture>
  );
}
