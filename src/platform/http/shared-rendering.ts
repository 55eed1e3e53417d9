/**
 * Lets requests that wait for the same page share a rendering. None gets one that began before the request came: it
 * could be out of date.
 */
export function shareRenderings<T>(): (key: string, render: () => Promise<T>) => Promise<T> {
  const begun = new Map<string, Promise<T>>();
  const waiting = new Map<string, Promise<T>>();
  return (key, render) => {
    const shared = waiting.get(key);
    if (shared) return shared;
    const own = (begun.get(key) ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        waiting.delete(key);
        begun.set(key, own);
        return render();
      })
      .finally(() => {
        if (begun.get(key) === own) begun.delete(key);
      });
    waiting.set(key, own);
    return own;
  };
}
