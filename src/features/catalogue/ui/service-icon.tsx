import { BookOpen, Compass, Feather, HandHeart, HeartHandshake, House, Sprout } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Hue } from '#/web/components/hues.ts';
import type { ServiceSummary } from '../contract.ts';
import { IconTile } from '#/web/components/icon-tile.tsx';

type IconStyle = { Icon: ComponentType; hue: Hue };

const looks: Readonly<Record<string, IconStyle>> = {
  individuals: { Icon: Sprout, hue: 'sea' },
  couples: { Icon: HeartHandshake, hue: 'rose' },
  families: { Icon: House, hue: 'wheat' },
  teens: { Icon: Compass, hue: 'leaf' },
  grief: { Icon: Feather, hue: 'dusk' },
  spiritual: { Icon: BookOpen, hue: 'plum' },
};
/** Added services use the closest built-in icon. */
const ofCategory: Readonly<Record<string, string>> = {
  'Individual Healing': 'individuals',
  'Strengthening Bonds': 'couples',
  'Spiritual Guidance': 'spiritual',
  'Crisis Intervention': 'grief',
};
const ofCommunity: IconStyle = { Icon: HandHeart, hue: 'leaf' };

/** Decorative: the title is next to it. */
export function ServiceIcon({
  service: { id, category },
}: {
  service: Pick<ServiceSummary, 'id' | 'category'>;
}) {
  const { Icon, hue } = looks[id] ?? looks[ofCategory[category] ?? ''] ?? ofCommunity;
  return (
    <IconTile hue={hue} size="lg">
      <Icon />
    </IconTile>
  );
}
