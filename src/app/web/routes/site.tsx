import { Outlet } from 'react-router';
import { loadServices } from '../service-titles.ts';
import { SiteFrame } from '../site-frame.tsx';
import { unlessSearchChanged } from '../revalidation.ts';
import type { Route } from './+types/site.ts';

export const loader = loadServices;

export const shouldRevalidate = unlessSearchChanged;

/** Frames the public pages. */
export default function Site({ loaderData: { services } }: Route.ComponentProps) {
  return (
    <SiteFrame services={services}>
      <Outlet />
    </SiteFrame>
  );
}
