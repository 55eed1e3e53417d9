import { Picture } from './picture.tsx';

export function LetterIllustration() {
  return (
    <Picture width={320} height={240}>
      <circle cx="160" cy="116" r="98" className="fill-gold-soft" />
      <path d="M30 214h260" className="stroke-line" strokeWidth="4" />
      <path d="M72 112l88-64 88 64v96H72z" className="fill-wheat stroke-control" strokeWidth="2.5" />
      <rect
        x="94"
        y="62"
        width="132"
        height="116"
        rx="6"
        className="fill-card stroke-on-sea"
        strokeWidth="2.5"
      />
      <path d="M112 88h58M112 106h96M112 124h84" className="stroke-quiet" strokeWidth="3.5" />
      <path
        d="M160 149c-5-8-18-7-18 3 0 8 11 13 18 19 7-6 18-11 18-19 0-10-13-11-18-3z"
        className="fill-rose stroke-on-rose"
        strokeWidth="2.5"
      />
      <path
        d="M72 112l70 54c11 8 25 8 36 0l70-54v96H72z"
        className="fill-sea stroke-on-sea"
        strokeWidth="2.5"
      />
      <path d="M72 208l66-46M248 208l-66-46" className="stroke-on-sea" strokeWidth="2.5" />
      <g className="stroke-sage" strokeWidth="2.5">
        <path d="M246 214c18-22 26-46 26-74" />
        <path
          d="M266 176c14 0 22-6 24-16-12-2-21 4-24 16zM270 158c-12-4-18-12-17-22 11 1 18 9 17 22zM256 196c-13-1-21-8-22-18 12-1 20 6 22 18z"
          className="fill-sage-soft"
        />
      </g>
    </Picture>
  );
}
