export function isCallable(phone: string | undefined): boolean {
  return (phone?.match(/\d/g) ?? []).length >= 5;
}
