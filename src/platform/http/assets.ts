import { readFile, readdir } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { accepts } from './compression.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
};
/** Built with `.br` and `.gz` files beside them. */
export const compressible: ReadonlySet<string> = new Set(['.js', '.css', '.svg', '.webmanifest', '.txt']);

/** Smallest first. */
const encodings = [
  { name: 'br', extension: '.br' },
  { name: 'gzip', extension: '.gz' },
] as const;

type Body = Buffer<ArrayBuffer>;

interface Asset {
  body: Body;
  type: string;
  encoded: readonly { name: 'br' | 'gzip'; body: Body }[];
  /** The file name contains a content hash. */
  immutable: boolean;
}

export async function openAssets(folder: string): Promise<(request: Request) => Promise<Response | null>> {
  const assets = new Map<string, Asset>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    const extension = extname(file);
    if (encodings.some((one) => one.extension === extension)) continue;
    const written = compressible.has(extension) ? encodings : [];
    assets.set(path, {
      body: await readFile(file),
      type: types[extension] ?? 'application/octet-stream',
      encoded: await Promise.all(
        written.map(async ({ name, extension: end }) => ({
          name,
          body: await readFile(file + end),
        })),
      ),
      immutable: path.startsWith('/assets/'),
    });
  }
  return async (request) => {
    const asset = assets.get(new URL(request.url).pathname);
    if (!asset || (request.method !== 'GET' && request.method !== 'HEAD')) return null;
    const headers = new Headers({
      'content-type': asset.type,
      'cache-control': asset.immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    });
    const accepted = request.headers.get('accept-encoding');
    const encoded = asset.encoded.find(({ name }) => accepts(accepted, name));
    const { body } = encoded ?? asset;
    if (asset.encoded.length > 0) headers.set('vary', 'accept-encoding');
    if (encoded) headers.set('content-encoding', encoded.name);
    headers.set('content-length', String(body.byteLength));
    return new Response(request.method === 'HEAD' ? null : body, { headers });
  };
}
