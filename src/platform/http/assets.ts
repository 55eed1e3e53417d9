import { readFile, readdir } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);

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
const compressible = new Set(['.js', '.css', '.svg', '.webmanifest', '.txt']);

interface Asset {
  body: Buffer<ArrayBuffer>;
  type: string;
  /** Compressed on first request. */
  brotli?: Promise<Buffer<ArrayBuffer>>;
  compressible: boolean;
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
    assets.set(path, {
      body: await readFile(file),
      type: types[extension] ?? 'application/octet-stream',
      compressible: compressible.has(extension),
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
    let { body } = asset;
    if (asset.compressible) {
      headers.set('vary', 'accept-encoding');
      if (/\bbr\b/.test(request.headers.get('accept-encoding') ?? '')) {
        asset.brotli ??= compress(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }) as Promise<
          Buffer<ArrayBuffer>
        >;
        body = await asset.brotli;
        headers.set('content-encoding', 'br');
      }
    }
    headers.set('content-length', String(body.byteLength));
    return new Response(request.method === 'HEAD' ? null : body, { headers });
  };
}
