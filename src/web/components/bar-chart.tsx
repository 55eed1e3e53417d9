/** Units of the picture's own grid: 360 wide, as wide as it stands on a phone, so that its letters are as large there. */
const width = 360;
const floor = 128;
const ceiling = 24;
const bar = 18;

/** One bar: what stands under it, how high it is, and what is written on it if that isn't the number. */
export interface Bar {
  key: string;
  label: string;
  value: number;
  text?: string;
}

/** Bars with their figures on them. Beside it stands a table that says the same, for who doesn't see it. */
export function BarChart({
  title,
  bars,
  look,
  most,
}: {
  title: string;
  bars: readonly Bar[];
  /** The colour of the bars, such as `fill-primary`. */
  look: string;
  /** What a bar of full height stands for; without it, the highest of them. */
  most?: number;
}) {
  const full = most ?? Math.max(1, ...bars.map(({ value }) => value));
  const step = width / bars.length;
  return (
    <figure aria-hidden className="min-w-0">
      <figcaption className="mb-2 font-semibold">{title}</figcaption>
      <svg viewBox={`0 0 ${width} 150`} focusable="false" className="block h-auto w-full max-w-130">
        <path d={`M0 ${floor + 0.5}H${width}`} className="stroke-control" strokeWidth="1" />
        {bars.map(({ key, label, value, text }, index) => {
          const height = Math.round(((floor - ceiling) * value) / full);
          const middle = step * (index + 0.5);
          return (
            <g key={key} textAnchor="middle" className="text-[12px] tabular-nums">
              {value > 0 && (
                <>
                  <path d={barPath(middle - bar / 2, height)} className={look} />
                  <text x={middle} y={floor - height - 6} className="fill-ink font-semibold">
                    {text ?? value}
                  </text>
                </>
              )}
              <text x={middle} y={floor + 17} className="fill-quiet">
                {label}
              </text>
            </g>
          );
        })}
      </svg>
    </figure>
  );
}

/** A bar that stands on the floor and is round at its top. */
function barPath(x: number, height: number): string {
  const round = Math.min(4, height);
  return `M${x} ${floor}v${round - height}q0 ${-round} ${round} ${-round}h${bar - 2 * round}q${round} 0 ${round} ${round}v${height - round}z`;
}
