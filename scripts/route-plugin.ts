import type { RouteConfigEntry } from '@react-router/dev/routes';
import type { Plugin } from 'vite';

interface Route {
  path?: string;
  index?: boolean;
  file: string;
  children: Route[];
}

/** Gives component tests the product's route table. */
export function routeTable(): Plugin {
  const id = 'virtual:routes';
  return {
    name: 'italk-routes',
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load: async (source) => {
      if (source !== `\0${id}`) return null;
      const { default: routes } = await import('../src/app/web/routes.ts');
      return `export default ${JSON.stringify(routes.map(withoutRest))}`;
    },
  };
}

function withoutRest({ path, index, file, children = [] }: RouteConfigEntry): Route {
  return { path, index, file, children: children.map(withoutRest) };
}
