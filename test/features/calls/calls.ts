import type { SandboxCall } from '../../../dev/service/types.ts'
import type { Actor, Message } from '../../../dev/slack/slack.ts'
import { addDays } from '../../../src/time/days.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { localDay } from '../../../src/time/zones.ts'
import { minuteMs } from '../../../src/util/units.ts'
import type { TestApp } from '../../support/app.ts'
import { getActions, getColumn } from '../../support/shown.ts'
import { direct, rowsOfFile } from '../export/exports.ts'

let callCount = 0

/** Returns an answered outgoing call of the first agent. */
export function createCall(number: string, at: Date, changes: Partial<SandboxCall> = {}): SandboxCall {
  callCount += 1
  return {
    id: `created-${callCount}`,
    direction: 'outgoing',
    number,
    at,
    seconds: 61,
    answered: true,
    cost: '0.01',
    recording: '',
    agentId: '1001',
    ...changes,
  }
}

/** Returns the last days until today, as a range of `/calls`. */
export function lastDaysUntil(daysAgo: number, days: number, zoneName = 'Europe/Berlin'): string {
  const to = addDays(localDay(parseZone(zoneName)!, new Date()), -daysAgo)
  return `${addDays(to, 1 - days)}..${to}`
}

/** `1:01` */
export const formatLength = ({ seconds }: Pick<SandboxCall, 'seconds'>) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** Returns a column's cells on this page and the next ones. */
export async function readColumn(actor: Actor, list: Message, head: string): Promise<string[]> {
  const cells = getColumn(list, head)
  if (!getActions(list).includes('calls.page.next')) return cells
  return [...cells, ...(await readColumn(actor, await actor.click(list, 'calls.page.next'), head))]
}

/** Returns the rows of the exported file. @param text of the message that has it */
export async function exportRows({ slack, member }: TestApp, words: string, text = 'Here are') {
  await member.command(`/calls export ${words}`)
  await direct(slack, member, text)
  return rowsOfFile(slack, member)
}

/** Names lines by their numbers, and removes the other names. */
export async function nameLines({ admin, clock }: TestApp, names: Readonly<Record<string, string>>) {
  // The numbers that were read when the account was connected are out of date.
  clock.ahead += 6 * minuteMs
  const modal = await admin.open('/calls lines')
  const labels = modal.blocks.flatMap((block) => ('label' in block ? [block.label as { text: string }] : []))
  const values = labels.map(({ text }, index) => [`line-${index}`, names[text.replaceAll(' ', '')] ?? null])
  return admin.submit(modal, Object.fromEntries(values))
}
