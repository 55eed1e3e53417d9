/** SVG units. Values scale with the chart, so that they fit between each other; labels don't. */
const width = 360;
const floor = 128;
const ceiling = 24;
const bar = 18;

export interface Bar {
  key: string;
  label: string;
  value: number;
  text?: string;
}

/** Bar chart with values. Place a table with the same data beside it for screen readers. */
export function BarChart({
  title,
  bars,
  look,
  max,
}: {
  title: string;
  bars: readonly Bar[];
  look: string;
  max?: number;
}) {
  const full = max ?? Math.max(1, ...bars.map(({ value }) => value));
  const step = width / bars.length;
  return (
    <figure aria-hidden className="min-w-0">
      <figcaption className="mb-2 font-semibold">{title}</figcaption>
      <svg viewBox={`0 0 ${width} ${floor + 4}`} focusable="false" className="block h-auto w-full max-w-130">
        <path d={`M0 ${floor + 0.5}H${width}`} className="stroke-control" strokeWidth="1" />
        {bars.map(({ key, value, text }, index) => {
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
            </g>
          );
        })}
      </svg>
      <p className="flex max-w-130 text-sm text-quiet">
        {bars.map(({ key, label }) => (
          <span key={key} className="flex w-0 flex-1 justify-center max-[23rem]:odd:invisible">
            {label}
          </span>
        ))}
      </p>
    </figure>
  );
}

function barPath(x: number, height: number): string {
  const round = Math.min(4, height);
  return `M${x} ${floor}v${round - height}q0 ${-round} ${round} ${-round}h${bar - 2 * round}q${round} 0 ${round} ${round}v${height - round}z`;
}
