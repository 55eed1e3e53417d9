import { m } from '#/texts/messages.js';

export function unreadLinkText(count: number): string {
  if (count === 0) return m.messaging_unread_link();
  return m.messaging_unread_link_count({ count });
}

/** Visual only; the accessible name includes the count. */
export function UnreadCorner({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span
      aria-hidden
      data-count={count > 99 ? '99+' : count}
      className="absolute -top-1.5 left-[calc(100%-0.625rem)] grid h-4.5 min-w-4.5 place-items-center rounded-full bg-primary px-1 text-sm leading-none font-semibold text-on-primary tabular-nums before:content-[attr(data-count)]"
    />
  );
}
