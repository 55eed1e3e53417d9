// oxlint-disable-next-line no-restricted-imports -- here a part may be missing
import { lazy, type ComponentType, type LazyExoticComponent } from 'react';
import { insist } from './network.ts';

/** Loads a component on first render. Retries failed loads: indefinitely offline, a few times online. */
export function lazyPart<P>(load: () => Promise<ComponentType<P>>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => ({
    default: await (typeof window === 'undefined' ? load() : insist(load, { tries: 5 })),
  }));
}
