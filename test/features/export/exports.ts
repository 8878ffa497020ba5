import { read, utils } from '@e965/xlsx'
import { expect } from 'vitest'
import type { Sandbox } from '../../../dev/service/app.ts'
import type { Direction, SandboxCall } from '../../../dev/service/types.ts'
import { readableText } from '../../../dev/slack/readable-text.ts'
import type { Actor, Message, Slack } from '../../../dev/slack/slack.ts'
import { loadPhoneFormat } from '../../../src/telephony/phone-numbers.ts'
import type { TestApp } from '../../support/app.ts'
import { parseCsv } from '../../support/shown.ts'

/** Returns the app's direct messages to a person, oldest first. */
export function directMessages(slack: Slack, { user }: Actor): readonly Message[] {
  const channel = slack.directChannel(user)
  return channel ? slack.messages({ channel }) : []
}

/** Returns the files that a person received. */
export const getFiles = (slack: Slack, actor: Actor) =>
  directMessages(slack, actor).flatMap(({ files = [] }) => files)

/** Waits for a direct message with this text. @returns the message */
export async function direct(slack: Slack, actor: Actor, text: string, timeout = 20_000): Promise<Message> {
  const find = () => directMessages(slack, actor).find((message) => readableText(message).includes(text))
  const all = () => directMessages(slack, actor).map(readableText).join('\n---\n')
  await expect.poll(() => find() !== undefined || all(), { timeout, interval: 20 }).toBe(true)
  return find()!
}

/** Returns the rows of the newest file, with the columns' titles as keys. */
export function rowsOfFile(slack: Slack, actor: Actor): Record<string, string>[] {
  const content = getFiles(slack, actor).at(-1)!.content!
  expect([...content.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const [head = [], ...rows] = parseCsv(content.subarray(3).toString())
  return rows.map((row) => {
    expect(row).toHaveLength(head.length)
    return Object.fromEntries(head.map((title, at) => [title, row[at] ?? '']))
  })
}

/** Returns the same rows as a spreadsheet reads them: times are `Date`s, interpreted as UTC. */
export function spreadsheetRows(slack: Slack, actor: Actor): Record<string, unknown>[] {
  const { SheetNames, Sheets } = read(getFiles(slack, actor).at(-1)!.content!, { cellDates: true, UTC: true })
  return utils.sheet_to_json(Sheets[SheetNames[0]!]!, { UTC: true })
}

const format = await loadPhoneFormat()

const byId = (a: { ID: string }, b: { ID: string }) => (a.ID < b.ID ? -1 : 1)

/** Builds the row of a call in the ledger, without its local time. */
const expectedRow = (call: SandboxCall) => ({
  Direction: call.direction,
  'Time (UTC)': call.at.toISOString().slice(0, 19).replace('T', ' '),
  Number: format(call.number),
  Line: call.direction === 'incoming' ? format(call.number) : '',
  Seconds: call.answered ? String(call.seconds) : '0',
  Status: call.answered ? 'Answered' : call.direction === 'incoming' ? 'Missed' : 'No answer',
  Cost: call.cost,
  Recording: call.recording === '' ? 'No' : 'Yes',
  'Taken by': '',
  'Taken at': '',
  'Done at': '',
  ID: call.id,
})

/** Expects each call exactly once, with exact durations and costs. */
export function expectCalls(rows: readonly Record<string, string>[], calls: readonly SandboxCall[]): void {
  const found = rows.map(({ Time: _, 'Answered by': _answered, ID = '', ...row }) => ({ ...row, ID }))
  expect(found.toSorted(byId)).toEqual(calls.map(expectedRow).toSorted(byId))
}

/** Delays each page of the service. */
export const slowly = (sandbox: Sandbox, ms: number, operation: Direction = 'incoming') =>
  sandbox.faults.always({ kind: 'delay', ms }, { operation })

/**
 * Starts an export and holds its first page back, but not the request for the count.
 * @param start sends the command or click
 * @returns a function that releases the pages of all exports
 */
export async function holdPages(
  sandbox: Sandbox,
  start: () => Promise<unknown>,
  operation: Direction = 'incoming',
): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const before = sandbox.requests.count(operation)
  sandbox.faults.next({ kind: 'delay', ms: 0 }, { operation })
  sandbox.faults.always({ kind: 'hold', until: promise }, { operation })
  await start()
  await expect.poll(() => sandbox.requests.count(operation), { interval: 10 }).toBe(before + 2)
  return () => {
    sandbox.faults.clear()
    resolve()
  }
}

/** Returns the ids of stored exports, oldest first. */
export const storedExports = ({ stored }: Pick<TestApp, 'stored'>): readonly string[] =>
  stored.all('exports').map(({ key }) => key)
