import { readFile } from 'node:fs/promises';
import { expect, type Download } from '@playwright/test';
import ICAL from 'ical.js';

export async function textOf(download: Download): Promise<string> {
  return readFile(await download.path(), 'utf8');
}

export function sessionsOf(text: string) {
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[]);
  for (const zone of calendar.getAllSubcomponents('vtimezone')) {
    ICAL.TimezoneService.register(new ICAL.Timezone(zone));
  }
  return calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component);
    const alarm = component.getFirstSubcomponent('valarm');
    return {
      uid: event.uid,
      sequence: event.sequence,
      summary: event.summary,
      text: component.toString(),
      status: String(component.getFirstPropertyValue('status')),
      startsAt: event.startDate.toJSDate().toISOString(),
      endsAt: event.endDate.toJSDate().toISOString(),
      alarm: alarm ? String(alarm.getFirstPropertyValue('trigger')) : null,
    };
  });
}
