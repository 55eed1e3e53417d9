import { encode } from 'uqr';
import { m } from '#/texts/messages.js';
import type { SetUp } from '../second-factor/contract.ts';

export function AuthenticatorKey({ setUp: { address, secret } }: { setUp: SetUp }) {
  const { data, size } = encode(address, { border: 2 });
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <div className="grid justify-items-center gap-3 rounded-card border border-line bg-sunken p-4 text-center">
      {/* Scanners need dark on light. */}
      <svg
        role="img"
        aria-label={m.second_step_picture()}
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="aspect-square w-44 max-w-full rounded-control bg-white"
      >
        <path d={squares.join('')} fill="black" />
      </svg>
      <p className="text-sm text-quiet">{m.second_step_by_hand()}</p>
      <code className="text-base font-semibold tracking-wide select-all">
        {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
      </code>
    </div>
  );
}
