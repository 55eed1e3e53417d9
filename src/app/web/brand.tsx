import { Link } from 'react-router';
import { m } from '#/texts/messages.js';

export function Brand({ site }: { site: string }) {
  return (
    <Link
      to="/"
      aria-label={m.site_brand_home({ site })}
      className="flex min-h-11 min-w-0 items-center gap-2.5 font-serif text-xl font-semibold max-[22.5rem]:gap-1.5"
    >
      <svg viewBox="0 0 64 64" aria-hidden focusable="false" className="size-8 shrink-0">
        <rect width="64" height="64" rx="15" className="fill-primary" />
        <path d="M18 52V29a14 14 0 0 1 28 0v23z" className="fill-on-primary" />
        <path d="M22 52a10 10 0 0 1 20 0z" className="fill-gold" />
      </svg>
      <span className="truncate max-xs:sr-only">{site}</span>
    </Link>
  );
}
