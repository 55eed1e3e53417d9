import type { Plugin } from 'vite';

/** The bundler's facts about a module. */
interface ModuleInfo {
  code: string | null;
  isEntry: boolean;
  importedIds: readonly string[];
  dynamicallyImportedIds: readonly string[];
}

/** Collections that import everything any page uses, so their imports don't show what one module needs. */
const catalogues = /\/(lucide-react|\.react-router\/texts)\//;

/** Rough bytes that a module's source takes once it is minified and compressed. */
const compression = 0.11;

/** Bytes that one more file costs: its request, and what compresses worse apart. */
const fileCost = 5_000;

/** Bytes below which a file isn't worth its request, and what it then costs. */
const small = 2_000;
const smallCost = 6_000;

/** Chunks that pages share at most. */
const maxShared = 80;

export interface Layers {
  /** Code of every page, which compresses best in one file. */
  site: readonly string[];
  /** The page that most visitors see first: what others use of it joins the code of every page. */
  first: string;
  /** Loaded with each page that needs `api`. */
  live: readonly string[];
  api: string;
  /** Routes whose bytes count most: pages to read. */
  light: readonly string[];
}

interface Piece {
  ids: string[];
  bytes: number;
  /** For each entry, its weight if it needs this piece, else 0. */
  users: Float64Array;
  /** Pieces that this one imports. */
  needs: Set<Piece>;
}

/**
 * Groups shared modules into few chunks. Modules that the same pages need make a piece; pieces are merged while one
 * file less outweighs what pages then load without need.
 */
export function sharedChunks(source: string, layers: Layers) {
  let chunkOf: ReadonlyMap<string, number> | null = null;
  const plugin: Plugin = {
    name: 'italk-shared-chunks',
    applyToEnvironment: ({ name }) => name === 'client',
    buildStart: () => void (chunkOf = null),
    buildEnd() {
      const infos = new Map<string, ModuleInfo>();
      for (const id of this.getModuleIds()) infos.set(id, this.getModuleInfo(id)!);
      chunkOf = partition(source, layers, infos);
    },
  };
  const names = ['site', ...Array.from({ length: maxShared }, (_, index) => `shared-${index}`)];
  const groups = names.map((name, index) => ({
    name: (id: string) => (chunkOf?.get(id) === index ? name : null),
    debugName: name,
    // A group takes what its modules need, except what an earlier group has.
    priority: names.length - index,
  }));
  return { plugin, groups };
}

function partition(
  source: string,
  layers: Layers,
  infos: ReadonlyMap<string, ModuleInfo>,
): ReadonlyMap<string, number> {
  const importsOf = importsIn(infos);
  const paths = (names: readonly string[]) => names.map((name) => `${source}${name}`);
  const entries = new Set(
    [...infos].flatMap(([id, info]) => [...(info.isEntry ? [id] : []), ...info.dynamicallyImportedIds]),
  );
  const first = `${source}${layers.first}`;
  const ofOthers = needed(
    [...entries].filter((entry) => !entry.startsWith(first)),
    importsOf,
  );
  const site = needed(paths(layers.site), importsOf).union(needed([first], importsOf).intersection(ofOthers));
  const chunkOf = new Map([...site].map((id) => [id, 0]));
  const api = `${source}${layers.api}`;
  const uses = [...entries].flatMap((entry) => {
    if (chunkOf.has(entry)) return [];
    const ids = needed([entry], importsOf);
    const all = ids.has(api) ? needed([entry, ...paths(layers.live)], importsOf) : ids;
    return [{ ids: [...all].filter((id) => !chunkOf.has(id)), weight: weightOf(entry, layers.light) }];
  });
  const ordered = inOrder(merged(piecesOf(uses, importsOf, infos)));
  if (ordered.length > maxShared) throw new Error(`${ordered.length} shared chunks: raise \`maxShared\`.`);
  for (const [index, { ids }] of ordered.entries()) for (const id of ids) chunkOf.set(id, 1 + index);
  return chunkOf;
}

/** Parts of screens count less: most of them load on demand. */
function weightOf(entry: string, light: readonly string[]): number {
  const [, route] = /\/app\/web\/routes\/([\w-]+)\./.exec(entry) ?? [];
  if (route && light.includes(route)) return 20;
  // Opened most.
  if (/-dashboard\.tsx/.test(entry)) return 4;
  return entry.includes('/app/web/') ? 1 : 0.1;
}

/** Reads imports; those from catalogues are found in the code, by name. */
function importsIn(infos: ReadonlyMap<string, ModuleInfo>): (id: string) => readonly string[] {
  const named = new Map<string, string>();
  for (const id of infos.keys()) {
    const [, name] = /\/(?:texts\/messages|icons)\/([\w-]+)\.m?js$/.exec(id) ?? [];
    if (name && catalogues.test(id)) named.set(name, id);
  }
  const found = new Map<string, readonly string[]>();
  return (id) => {
    const known = found.get(id);
    if (known) return known;
    const { importedIds = [], code } = infos.get(id) ?? {};
    const imports = catalogues.test(id)
      ? importedIds.filter((one) => !/\/(?:messages|icons)\//.test(one) || !named.size)
      : [
          ...importedIds.filter((one) => !catalogues.test(one)),
          ...namesIn(code ?? '').flatMap((name) => named.get(name) ?? []),
        ];
    found.set(id, imports);
    return imports;
  };
}

/** Names of the texts and files of the icons that code uses. */
function namesIn(code: string): string[] {
  const texts = [...code.matchAll(/\bm\.(\w+)/g)].map(([, text]) => text!);
  const icons = [...code.matchAll(/import \{([^}]*)\} from ["']lucide-react["']/g)].flatMap(([, all]) =>
    [...all!.matchAll(/\b([A-Z]\w*)/g)].map(([, icon]) =>
      icon!.replaceAll(/(?<=[a-z])(?=[A-Z\d])/g, '-').toLowerCase(),
    ),
  );
  return [...texts, ...icons];
}

function needed(roots: readonly string[], importsOf: (id: string) => readonly string[]): Set<string> {
  const found = new Set<string>();
  const waiting = [...roots];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...importsOf(id));
  }
  return found;
}

interface Use {
  ids: readonly string[];
  /** Weight of the entry's bytes. */
  weight: number;
}

function piecesOf(
  uses: readonly Use[],
  importsOf: (id: string) => readonly string[],
  infos: ReadonlyMap<string, ModuleInfo>,
): Piece[] {
  const usersOf = new Map<string, number[]>();
  for (const [index, { ids }] of uses.entries())
    for (const id of ids) usersOf.set(id, [...(usersOf.get(id) ?? []), index]);
  const pieces = new Map<string, Piece>();
  const pieceOf = new Map<string, Piece>();
  for (const [id, users] of usersOf) {
    // Modules that only one entry needs stay with it.
    if (users.length < 2) continue;
    const key = users.join();
    const piece = pieces.get(key) ?? {
      ids: [],
      bytes: 0,
      users: Float64Array.from(uses, ({ weight }, index) => (users.includes(index) ? weight : 0)),
      needs: new Set(),
    };
    piece.ids.push(id);
    piece.bytes += (infos.get(id)?.code?.length ?? 0) * compression;
    pieces.set(key, piece);
    pieceOf.set(id, piece);
  }
  for (const piece of pieces.values())
    for (const id of piece.ids.flatMap(importsOf)) {
      const other = pieceOf.get(id);
      if (other && other !== piece) piece.needs.add(other);
    }
  return [...pieces.values()];
}

/** Merges two pieces at a time, starting with the pair that saves most. */
function merged(pieces: readonly Piece[]): Piece[] {
  const left = new Set(pieces);
  let pairs: { one: Piece; other: Piece; most: number }[] = [];
  let changed = new Set(pieces);
  for (;;) {
    const closures = new Map([...left].map((piece) => [piece, closureOf(piece)]));
    // Comparing all pairs took half of the build.
    pairs = pairs.filter(({ one, other }) => [one, other].every((it) => left.has(it) && !changed.has(it)));
    const others = new Set(left);
    for (const one of changed) {
      others.delete(one);
      for (const other of others) {
        const most = gain(one, other);
        if (most > 0) pairs.push({ one, other, most });
      }
    }
    pairs.sort((one, other) => other.most - one.most);
    let best: { one: Piece; other: Piece; saved: number } | null = null;
    for (const { one, other, most } of pairs) {
      if (best && most <= best.saved) break;
      if (isBetween(one, other, closures) || isBetween(other, one, closures)) continue;
      const saved = most - dragged(one, other, closures) - dragged(other, one, closures);
      if (saved > (best?.saved ?? 0)) best = { one, other, saved };
    }
    if (!best) return [...left];
    const { one, other } = best;
    const joined: Piece = {
      ids: [...one.ids, ...other.ids],
      bytes: one.bytes + other.bytes,
      users: one.users.map((weight, index) => Math.max(weight, other.users[index]!)),
      needs: one.needs.union(other.needs).difference(new Set([one, other])),
    };
    left.delete(one);
    left.delete(other);
    for (const piece of left)
      if (piece.needs.delete(one) || piece.needs.has(other)) {
        piece.needs.delete(other);
        piece.needs.add(joined);
      }
    left.add(joined);
    changed = new Set([joined]);
    for (const piece of closureOf(joined)) {
      if (joined.users.every((weight, index) => weight <= piece.users[index]!)) continue;
      piece.users = piece.users.map((weight, index) => Math.max(weight, joined.users[index]!));
      changed.add(piece);
    }
  }
}

/** The most that merging two pieces can save, in weighted bytes of all entries. */
function gain(one: Piece, other: Piece): number {
  const saved = Math.min(one.bytes, other.bytes) < small ? smallCost : fileCost;
  let sum = 0;
  for (const [index, weight] of one.users.entries()) {
    const theirs = other.users[index]!;
    if (weight && theirs) sum += saved * weight;
    else if (weight) sum -= other.bytes * weight;
    else if (theirs) sum -= one.bytes * theirs;
  }
  return sum;
}

/** Bytes that the other piece's users load needlessly through a piece's imports. */
function dragged(one: Piece, other: Piece, closures: ReadonlyMap<Piece, ReadonlySet<Piece>>): number {
  let sum = 0;
  for (const need of closures.get(one)!) {
    if (need === other || need === one) continue;
    for (const [index, weight] of other.users.entries())
      if (weight && !need.users[index]) sum += need.bytes * weight;
  }
  return sum;
}

/** Whether a piece needs another through a third, which would then be in a circle with both. */
function isBetween(one: Piece, other: Piece, closures: ReadonlyMap<Piece, ReadonlySet<Piece>>): boolean {
  return [...one.needs].some((need) => need !== other && closures.get(need)!.has(other));
}

function closureOf(piece: Piece): Set<Piece> {
  const found = new Set<Piece>();
  const waiting = [piece];
  for (let one = waiting.pop(); one; one = waiting.pop()) {
    if (found.has(one)) continue;
    found.add(one);
    waiting.push(...one.needs);
  }
  return found;
}

/** Sorts pieces after those they import. */
function inOrder(pieces: readonly Piece[]): Piece[] {
  const ordered = new Set<Piece>();
  const add = (piece: Piece) => {
    for (const need of piece.needs) if (!ordered.has(need)) add(need);
    ordered.add(piece);
  };
  for (const piece of pieces) add(piece);
  return [...ordered];
}
