/** Whether somebody can be called at what was typed: shorter numbers than five digits are nobody's. */
export function isCallable(phone: string | undefined): boolean {
  return (phone?.match(/\d/g) ?? []).length >= 5;
}
