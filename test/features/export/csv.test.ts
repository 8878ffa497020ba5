import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formatFileName } from '../../../src/features/export/file.ts'
import type { ListQuery } from '../../../src/query/query.ts'
import { LineNames } from '../../../src/telephony/lines.ts'
import { parseDay } from '../../../src/time/days.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { csvChunks, toSafeCell } from '../../../src/util/csv.ts'
import { forAll } from '../../support/properties.ts'
import { parseCsv } from '../../support/shown.ts'

// Texts from people and the service, and texts that a spreadsheet could execute.
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom('=', '+', '-', '@', '"', ',', ';', '\r', '\n', '\t', '1', ' ', '\u200b', 'A'))
    .map((all) => all.join('')),
)
const columns = [0, 1, 2].map((at) => ({
  title: `Column ${at}`,
  text: (row: readonly string[]) => row[at] ?? '',
}))

it('can be read back by a strict RFC 4180 parser', async () => {
  const row = fc.array(text, { minLength: 3, maxLength: 3 })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 30 }), async (rows) => {
      const content = Buffer.concat(await Array.fromAsync(csvChunks(columns, rows, undefined)))
      expect([...content.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
      const [head, ...others] = parseCsv(content.subarray(3).toString())
      expect(head).toEqual(columns.map(({ title }) => title))
      expect(others).toEqual(rows.map((cells) => cells.map((cell) => toSafeCell(cell.toWellFormed()))))
    }),
  )
})

const berlin = parseZone('Europe/Berlin')!
const lines = new LineNames([{ number: '+493023125042', name: 'Sales Berlin' }])
const long = 'x'.repeat(62)
const week = { from: parseDay('2026-11-16'), to: parseDay('2026-11-22') }

it.each<[Partial<ListQuery>, string]>([
  [{ status: 'missed', agentId: 'Anna', ...week }, 'missed-calls-16-22-nov-2026-for-anna'],
  [{ status: 'missed', direction: 'outgoing' }, 'unanswered-outgoing-calls-until-23-nov-2026'],
  [{ status: 'answered', from: week.from, to: week.from }, 'answered-incoming-calls-mon-16-nov-2026'],
  [{ direction: 'both', number: '9460', from: week.from }, 'calls-16-23-nov-2026-to-numbers-with-9460'],
  [{ number: '493023125042' }, 'incoming-calls-until-23-nov-2026-to-sales-berlin'],
  [{ agentId: '7', agentName: 'Zoë O’Neill / 李' }, 'incoming-calls-until-23-nov-2026-for-zoe-o-neill-李'],
  [{ agentId: '7', agentName: `${long} y` }, `incoming-calls-until-23-nov-2026-for-${long}`],
  [{ agentId: '../../etc' }, 'incoming-calls-until-23-nov-2026-for-etc'],
])('of %j is named %s.csv', (changes, name) => {
  const query: ListQuery = { direction: 'incoming', page: 1, ...changes }
  expect(formatFileName(query, berlin, new Date('2026-11-23T12:00:00Z'), lines)).toBe(`${name}.csv`)
})

it('has no cell that a spreadsheet would execute, except numbers', () => {
  forAll(text, (value) => {
    const cell = toSafeCell(value)
    expect(cell.replaceAll("'", '')).toBe(value.replaceAll("'", ''))
    for (const part of cell.replace(/^'[^\S\r\n]*/, "'").split(/[;,|\t\r\n\v\f\u0085\u2028\u2029]/)) {
      if (/^[\s\u200b]*[=+\-@]/.test(part)) expect(part.trim()).toMatch(/^(\+[\d ]+|-\d+(\.\d+)?)$/)
    }
  })
})

it.each([
  ['+493023125042', "'+493023125042"],
  ['02079460042', "'02079460042"],
  ['442079460042', "'442079460042"],
  ['+49 30 23125042', '+49 30 23125042'],
  ['0', '0'],
  ['0.0150', '0.0150'],
  ['1001', '1001'],
  ['030 23125042', '030 23125042'],
  ['-0.0150', '-0.0150'],
  ['+1-202-555-0100', "'+1-202-555-0100"],
  ['＝1+1', "'＝1+1"],
  ['\t=1', "'\t'=1"],
  ['\u00a0=1', "'\u00a0=1"],
  ['\ufeff=1', "'\ufeff=1"],
  ['x;=1+1', "x;'=1+1"],
  ['x| \u200b+A1', "x|' \u200b+A1"],
  ['x\u2028=1', "x\u2028'=1"],
  ['x, -5', 'x, -5'],
  ['+49 30 1; +49 30 2', '+49 30 1; +49 30 2'],
])('writes %j as %j', (value, cell) => {
  expect(toSafeCell(value)).toBe(cell)
})
