/** Places on the American continents where paper isn't cut to Letter. */
const cutToA4 =
  /^America\/(?:Argentina\/|Araguaina|Asuncion|Bahia$|Belem|Boa_Vista|Buenos_Aires|Campo_Grande|Cayenne|Cuiaba|Danmarkshavn|Eirunepe|Fortaleza|Godthab|Guayaquil|Guyana|La_Paz|Lima|Maceio|Manaus|Martinique|Montevideo|Noronha|Nuuk|Paramaribo|Porto_Velho|Recife|Rio_Branco|Santarem|Sao_Paulo|Scoresbysund|Thule)/;

/** The size of paper that printers hold where a zone is. */
export function paperIn(timeZone: string): 'A4' | 'LETTER' {
  if (/^(?:Pacific\/(?:Honolulu|Guam|Pago_Pago)|Asia\/Manila|US\/|Canada\/)/.test(timeZone)) return 'LETTER';
  return timeZone.startsWith('America/') && !cutToA4.test(timeZone) ? 'LETTER' : 'A4';
}

/** The height of each bar, where the largest value is as high as there is room. */
export function barHeights(values: readonly number[], room: number): number[] {
  const most = Math.max(1, ...values);
  return values.map((value) => (room * value) / most);
}
