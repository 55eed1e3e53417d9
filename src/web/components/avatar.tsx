import { classes } from './classes.ts';
import { hues } from './hues.ts';

const sizes = {
  sm: 'size-10 text-sm',
  md: 'size-14 text-lg',
  lg: 'size-20 text-2xl',
};

const looks = Object.values(hues);
const titles = /^(dr|mr|mrs|ms|prof|rev|fr|pastor)\.?$/i;

/** Photo or initials; hidden from screen readers, because the name is always beside it. */
export function Avatar({
  id,
  name,
  src,
  size = 'md',
  className,
}: {
  /** Determines the color. */
  id: string;
  name: string;
  src?: string | null;
  size?: keyof typeof sizes;
  className?: string;
}) {
  const look = classes('shrink-0 rounded-full', sizes[size], className);
  if (src) return <img src={src} alt="" className={classes('object-cover', look)} />;
  return (
    <span
      aria-hidden
      className={classes(
        'grid place-items-center font-serif font-semibold select-none',
        look,
        looks[numberOf(id) % looks.length],
      )}
    >
      {initialsOf(name)}
    </span>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word && !titles.test(word));
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toUpperCase();
}

function numberOf(id: string): number {
  return Array.from(id).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0, 7);
}
