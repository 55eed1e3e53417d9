/** A bar filled up to `share` (0–1), with a sliver for the smallest. An SVG: the CSP allows no inline widths. */
export function ShareBar({ share, look }: { share: number; look: string }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      className="h-2 w-full rounded-full bg-sunken"
    >
      <rect width={share > 0 ? Math.max(2, 100 * share) : 0} height="8" className={look} />
    </svg>
  );
}
