import { BookOpen, Headphones, Play, Sunrise } from 'lucide-react';
import type { ComponentType } from 'react';
import { classes } from '#/web/components/classes.ts';
import { hues, type Hue } from '#/web/components/hues.ts';
import type { ResourceCategory, ResourceType } from '../library/contract.ts';

const icons: Readonly<Record<ResourceType, ComponentType<{ className?: string }>>> = {
  book: BookOpen,
  video: Play,
  audio: Headphones,
  devotional: Sunrise,
};

const looks: Readonly<Record<ResourceCategory, Hue>> = {
  'individual-healing': 'sea',
  'family-relationships': 'wheat',
  'youth-teen-support': 'leaf',
  'grief-support': 'dusk',
  'spiritual-struggles': 'plum',
};

export function ResourceCover({
  resource: { type, category, cover },
  className,
}: {
  resource: { type: ResourceType; category: ResourceCategory; cover: string | null };
  className?: string;
}) {
  const look = classes('aspect-video w-full overflow-hidden', className);
  if (cover)
    return (
      <img
        src={cover}
        alt=""
        width={800}
        height={450}
        loading="lazy"
        className={classes('object-cover', look)}
      />
    );
  const Icon = icons[type];
  return (
    <div aria-hidden className={classes('relative grid place-items-center', hues[looks[category]], look)}>
      <svg viewBox="0 0 160 90" className="absolute inset-0 size-full" preserveAspectRatio="xMidYMid slice">
        <circle cx="124" cy="24" r="11" fill="currentColor" opacity="0.14" />
        <path d="M0 66c22-14 40-14 62-4s46 8 98-12v40H0z" fill="currentColor" opacity="0.1" />
        <path d="M0 78c30-12 52-10 80-4s50 4 80-8v24H0z" fill="currentColor" opacity="0.14" />
      </svg>
      <Icon className="relative size-10" />
    </div>
  );
}
