import { BookOpen, Compass, Feather, HandHeart, HeartHandshake, House, Sprout } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Hue } from '#/web/components/hues.ts';
import { IconTile } from '#/web/components/icon-tile.tsx';

type Look = { Icon: ComponentType; hue: Hue };

const looks: Readonly<Record<string, Look>> = {
  individuals: { Icon: Sprout, hue: 'sea' },
  couples: { Icon: HeartHandshake, hue: 'rose' },
  families: { Icon: House, hue: 'wheat' },
  teens: { Icon: Compass, hue: 'leaf' },
  grief: { Icon: Feather, hue: 'dusk' },
  spiritual: { Icon: BookOpen, hue: 'plum' },
};
/** Of a service that an administrator has added. */
const added: Look = { Icon: HandHeart, hue: 'sea' };

/** A service's picture on its own hue; its title stands beside it. */
export function ServiceIcon({ id, size = 'lg' }: { id: string; size?: 'md' | 'lg' }) {
  const { Icon, hue } = looks[id] ?? added;
  return (
    <IconTile hue={hue} size={size}>
      <Icon />
    </IconTile>
  );
}
