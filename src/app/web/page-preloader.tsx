import { use, useEffect } from 'react';
import { preloadModule } from 'react-dom';
import { matchRoutes, UNSAFE_DataRouterContext, UNSAFE_FrameworkContext } from 'react-router';

/** How long pointer or focus must rest on a link before it counts as intended, in milliseconds. */
const restMs = 60;

/**
 * Loads the code of the page behind a link that someone points at, focuses or presses. Not its data: reading it can
 * write to the audit log, and browsers may not store it.
 */
export function PagePreloader() {
  const router = use(UNSAFE_DataRouterContext)?.router;
  const manifest = use(UNSAFE_FrameworkContext)?.manifest;
  useEffect(() => {
    if (!router || !manifest) return;
    let resting: ReturnType<typeof setTimeout> | undefined;
    const preload = ({ pathname }: URL) => {
      for (const { route } of matchRoutes(router.routes, pathname) ?? []) {
        // Files and unknown addresses.
        if (route.path === '*') return;
        const { module, imports = [] } = manifest.routes[route.id] ?? {};
        for (const href of module ? [module, ...imports] : []) preloadModule(href, { as: 'script' });
      }
    };
    const see = ({ type, target }: Event) => {
      clearTimeout(resting);
      const link = target instanceof Element && target.closest<HTMLAnchorElement>('a[href]');
      if (!link || link.origin !== location.origin) return;
      const page = new URL(link.href);
      if (type === 'pointerdown') preload(page);
      else resting = setTimeout(() => preload(page), restMs);
    };
    const signs = ['pointerover', 'pointerdown', 'focusin'];
    for (const sign of signs) document.addEventListener(sign, see, { passive: true });
    return () => {
      clearTimeout(resting);
      for (const sign of signs) document.removeEventListener(sign, see);
    };
  }, [router, manifest]);
  return null;
}
