import { readFile, readdir, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import { compressible } from '../src/platform/http/assets.ts';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Compresses built assets beside the originals, so the server only reads them. */
export async function compressAssets(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true });
  await Promise.all(
    files
      .filter((file) => compressible.has(extname(file)))
      .map(async (name) => {
        const file = join(folder, name);
        const body = await readFile(file);
        await writeFile(`${file}.br`, await brotli(body));
        await writeFile(`${file}.gz`, await zip(body, { level: 9 }));
      }),
  );
}
