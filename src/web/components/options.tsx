/** A select's options, by value. */
export function Options<Value extends string | number>({
  of,
  text,
}: {
  of: readonly Value[];
  text: (value: Value) => string;
}) {
  return of.map((value) => (
    <option key={value} value={value}>
      {text(value)}
    </option>
  ));
}
