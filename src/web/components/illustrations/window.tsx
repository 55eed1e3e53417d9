import { Picture } from './picture.tsx';

export function WindowIllustration() {
  return (
    <Picture width={320} height={240}>
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
