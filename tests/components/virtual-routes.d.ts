declare module 'virtual:routes' {
  export interface RouteEntry {
    path?: string;
    index?: boolean;
    /** Under src/app/web. */
    file: string;
    children: RouteEntry[];
  }

  /** The product's route table (made in scripts/route-plugin.ts). */
  const routes: RouteEntry[];
  export default routes;
}
