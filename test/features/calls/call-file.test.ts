import { expect, it } from 'vitest'
import { formatAsClock } from '../../../src/time/lengths.ts'
import { hourMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { countCallFile, createCallFile, serveCallFile } from '../../support/call-file.ts'
import { getColumn } from '../../support/shown.ts'
import { exportRows, readColumn } from './calls.ts'

const app = useApp({ connected: true })

/** Reports format numbers, and files protect them from being read as formulas. */
const withoutSeparators = (number: string) => number.replaceAll(/[ '="\t-]/g, '')

const count = (values: readonly string[], value: string) => values.filter((one) => one === value).length

it("agrees on every count of a phone system's call file in list, report and export", async () => {
  const { member, sandbox } = app
  // A whole number of days ago at noon, so that all rows are of one day.
  const newest = new Date(new Date().setUTCHours(12, 0, 0, 0) - 48 * hourMs)
  await member.command('/calls timezone UTC')
  const rows = createCallFile(newest)
  serveCallFile(sandbox, rows)
  const expected = countCallFile(rows)
  const day = newest.toISOString().slice(0, 10)

  const list = await member.command(`/calls ${day}`)
  expect(list).toShow(`of ${expected.calls}`)
  const results = await readColumn(member, list, 'Result')
  expect(results).toHaveLength(expected.calls)
  expect([count(results, 'Answered'), count(results, 'Missed')]).toEqual([expected.answered, expected.missed])
  expect(new Set(results)).toEqual(new Set(['Answered', 'Missed', 'BUSY', 'FAILED']))

  const report = await member.command(`/calls report ${day}`)
  expect(report).toShow(
    `Incoming: ${expected.calls},`,
    `Missed: ${expected.missed} ·`,
    `Answered: ${expected.answered},`,
    `Other results: ${expected.other},`,
  )
  expect(report).not.toShow("can't be read")
  const lines = getColumn(report, 'Line').map(withoutSeparators)
  const byLine = new Map(getColumn(report, 'Incoming').map((cell, at) => [lines[at], Number(cell)]))
  for (const [number, ofLine] of expected.byLine)
    expect([number, byLine.get(withoutSeparators(number || 'No number'))]).toEqual([number, ofLine.length])
  expect(report).toShow(`Talk time: ${formatAsClock(expected.talkSeconds)}`)

  const exported = await exportRows(app, day, `Here are ${expected.calls} incoming calls`)
  const statuses = exported.map((row) => row['Status'] ?? '')
  expect(exported).toHaveLength(expected.calls)
  expect([count(statuses, 'Answered'), count(statuses, 'Missed')]).toEqual([
    expected.answered,
    expected.missed,
  ])
  expect(exported.reduce((sum, row) => sum + Number(row['Seconds']), 0)).toBe(expected.talkSeconds)
  const numbers = exported.map((row) => withoutSeparators(row['Number'] ?? ''))
  for (const [number, ofLine] of expected.byLine)
    expect(count(numbers, withoutSeparators(number))).toBe(ofLine.length)
})
